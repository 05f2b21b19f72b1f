package io.tidemark.provider.azure.simulation;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.http.ArmHandler;
import io.tidemark.emulator.arm.model.ArmInventory;
import io.tidemark.emulator.arm.model.ArmModel;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.model.Power;
import io.tidemark.emulator.arm.model.Resources;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.arm.request.ArmRequest;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.azure.network.ArmDoors;
import io.tidemark.provider.azure.network.ArmSamples;
import io.tidemark.simulation.cloud.SimulatedCloud.Launch;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.scenario.Scenario.InstanceShape;
import io.tidemark.simulation.scenario.Scenario.SubnetShape;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * A scenario's networks on the strict Resource Manager, and what their owner does there, never
 * hindered. Machines are instances of Uniform sets, virtual machines, and members of Flexible sets,
 * in two subscriptions.
 */
final class ArmWorld {
  /** The name of the operators. */
  static final String PRINCIPAL = "provider";

  private static final String LOCATION = "westeurope";
  private static final String ELSEWHERE = "elsewhere";
  private static final Duration MARKED_MOST = Duration.ofSeconds(40);
  private static final List<String> SUBSCRIPTIONS =
      List.of("00000000-0000-0000-0000-00000000000a", "00000000-0000-0000-0000-00000000000b");

  /** How a machine is made. */
  enum Form {
    UNIFORM,
    MACHINE,
    FLEXIBLE
  }

  /**
   * A machine that was launched.
   *
   * @param id as Azure spells it
   * @param theirs ids of interfaces that are not for pods
   */
  record Launched(Form form, String id, Layout layout, Set<String> theirs) {
    String key() {
      return ArmWorld.key(id);
    }
  }

  private final Scenario scenario;
  private final ArmHandler handler;
  private final SplittableRandom random;
  private final boolean mixed;

  /** Of every public prefix. */
  static final Map<String, String> PUBLIC_TAGS = Map.of("use", "egress");

  private final boolean ipv6;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final Set<String> flexibleSets = new HashSet<>();
  private final Map<String, Launched> launched = new HashMap<>();
  private final Set<String> theirs = new HashSet<>();
  private final Set<String> publicPrefixes = new HashSet<>();
  private int launches;

  /**
   * Networks and nothing else.
   *
   * @param mixed whether the seed chooses the form and the layout of each machine, or else forms
   *     take turns and layouts are plain
   * @param ipv6 whether the networks are dual-stack
   */
  ArmWorld(
      Scenario scenario,
      TimeSource time,
      ModelOptions options,
      boolean mixed,
      boolean ipv6,
      long seed) {
    this.scenario = scenario;
    this.handler = new ArmHandler(new ArmModel(options), time);
    this.random = new SplittableRandom(seed ^ 0xa52eL);
    this.mixed = mixed;
    this.ipv6 = ipv6;
    change(this::networks);
  }

  /** An id as maps know it. */
  static String key(String id) {
    return id.toLowerCase(Locale.ROOT);
  }

  ArmHandler handler() {
    return handler;
  }

  Instant now() {
    return handler.now();
  }

  ArmInventory inventory() {
    return handler.use(model -> model.inventory(handler.now()));
  }

  void change(Consumer<Resources> how) {
    handler.change(model -> how.accept(model.resources(handler.now())));
  }

  // ---- networks

  private void networks(Resources there) {
    Set<String> networks = new HashSet<>();
    int number = 0;
    for (SubnetShape each : scenario.subnets()) {
      if (networks.add(each.vpcId())) {
        there.addNetwork(network(each.vpcId()), LOCATION);
        there.addSubnet(
            subnetId(each.vpcId(), ELSEWHERE), List.of(Cidr.parse("100.64.0.0/15")), false, 0);
      }
      List<Cidr> prefixes = new ArrayList<>(List.of(each.cidr()));
      if (ipv6) {
        prefixes.add(Cidr.parse("fd00:0:0:" + Integer.toHexString(number) + "::/64"));
      }
      int occupied = each.reserved().stream().mapToInt(block -> (int) block.sizeSaturated()).sum();
      there.addSubnet(subnetId(each.id()), prefixes, mixed && number % 2 == 1, occupied);
      number++;
    }
  }

  private static String network(String vpc) {
    return group(0, "network") + "/Microsoft.Network/virtualNetworks/" + vpc;
  }

  private static String group(int subscription, String name) {
    return "/subscriptions/"
        + SUBSCRIPTIONS.get(subscription)
        + "/resourceGroups/"
        + name
        + "/providers";
  }

  private static String subnetId(String vpc, String subnet) {
    return network(vpc) + "/subnets/" + subnet;
  }

  /** Azure's id of a scenario's subnet. */
  String subnetId(String subnet) {
    return subnetId(scenario.subnet(subnet).orElseThrow().vpcId(), subnet);
  }

  int free(String subnet) {
    return inventory().freeAddresses(subnetId(subnet));
  }

  // ---- machines

  /** Starts a machine with its interfaces. */
  Launched launch(Launch wanted) {
    int turn = launches++;
    String nodes = wanted.nodeName().replaceFirst("-[0-9]+$", "");
    int pinned = mixed && random.nextInt(4) == 0 ? random.nextInt(1, 4) : 0;
    boolean v6 = ipv6 && random.nextInt(3) == 0;
    InstanceShape type = scenario.instanceType(wanted.instanceType()).orElseThrow();
    Form form = form(turn);
    int several = form == Form.UNIFORM ? 1 : type.interfaces();
    Layout layout = Layout.of(type, several, pinned, v6, free(wanted.subnetId()));
    Launched made =
        form == Form.UNIFORM
            ? instance(nodes, wanted, layout)
            : machine(nodes, wanted, layout, form);
    launched.put(made.key(), made);
    made.theirs().forEach(nic -> theirs.add(key(nic)));
    return made;
  }

  /** Makes a public prefix in the group of this machine, unless it has one. */
  void offerPublicAddresses(Launched machine) {
    String id =
        machine.id().replaceFirst("/providers/.*", "/providers")
            + "/Microsoft.Network/publicIPPrefixes/egress";
    if (publicPrefixes.add(key(id))) {
      Document tags = Document.of("tags", Document.of("use", "egress"));
      change(there -> there.addPublicPrefix(id, LOCATION, Cidr.parse("203.0.113.0/28"), tags, 0));
    }
  }

  private Form form(int turn) {
    if (!mixed) {
      return Form.values()[turn % Form.values().length];
    }
    int draw = random.nextInt(10);
    return draw < 5 ? Form.UNIFORM : draw < 8 ? Form.MACHINE : Form.FLEXIBLE;
  }

  private static int subscription(String nodes) {
    return Math.floorMod(nodes.hashCode(), SUBSCRIPTIONS.size());
  }

  private int next(String of) {
    return numbers.merge(of, 1, Integer::sum) - 1;
  }

  private Launched instance(String nodes, Launch wanted, Layout layout) {
    String set =
        group(subscription(nodes), "nodes-" + nodes)
            + "/Microsoft.Compute/virtualMachineScaleSets/"
            + (nodes + "-" + wanted.instanceType() + "-" + wanted.subnetId())
            + (layout.pinned() + "-" + layout.forPods() + (layout.ipv6() ? "v6" : ""));
    List<Layout.Wanted> interfaces = interfaces(wanted, layout);
    int number = next(set);
    if (number == 0) {
      change(
          there ->
              there.addScaleSet(
                  set, LOCATION, true, interfaces.stream().map(Layout.Wanted::model).toList()));
    }
    List<String> made = new ArrayList<>();
    change(there -> made.add(there.addInstance(set, number)));
    String id = made.get(0);
    Set<String> theirs = new HashSet<>();
    for (Layout.Wanted each : interfaces) {
      if (!each.forPods()) {
        theirs.add(id + "/networkInterfaces/" + each.name());
      }
    }
    return new Launched(Form.UNIFORM, id, layout, theirs);
  }

  private Launched machine(String nodes, Launch wanted, Layout layout, Form form) {
    String group = group(subscription(nodes), "nodes-" + nodes);
    String name = wanted.nodeName() + "-" + next(wanted.nodeName());
    String id = group + "/Microsoft.Compute/virtualMachines/" + name;
    String set = group + "/Microsoft.Compute/virtualMachineScaleSets/flexible";
    Set<String> theirs = new HashSet<>();
    change(
        there -> {
          if (form == Form.FLEXIBLE && flexibleSets.add(set)) {
            there.addScaleSet(set, LOCATION, false, List.of());
          }
          there.addMachine(
              id, LOCATION, form == Form.FLEXIBLE ? Optional.of(set) : Optional.empty());
          for (Layout.Wanted each : interfaces(wanted, layout)) {
            String nic = nic(group, name, each.name());
            there.addInterface(nic, id, each.configurations(), Document.EMPTY);
            if (!each.forPods()) {
              theirs.add(nic);
            }
          }
        });
    return new Launched(form, id, layout, theirs);
  }

  /** The first interface of a machine has its plain name, so that specs can name it. */
  private static String nic(String group, String machine, String name) {
    return group + "/Microsoft.Network/networkInterfaces/" + machine + "-" + name;
  }

  private List<Layout.Wanted> interfaces(Launch wanted, Layout layout) {
    SubnetShape subnet = scenario.subnet(wanted.subnetId()).orElseThrow();
    return layout.interfaces(subnetId(subnet.id()), subnetId(subnet.vpcId(), ELSEWHERE));
  }

  /** The machine of this id in lower case; empty when it was never launched. */
  Optional<Launched> launched(String key) {
    return Optional.ofNullable(launched.get(key));
  }

  /** Whether an interface is not for pods. */
  boolean isTheirs(String id) {
    return theirs.contains(key(id));
  }

  /** The interface that the spec of the node names; empty for every interface. */
  static String wantedInterface(Launched of) {
    String wanted = of.layout().wantedInterface();
    return wanted.isEmpty() || of.form() == Form.UNIFORM
        ? wanted
        : of.id().substring(of.id().lastIndexOf('/') + 1) + "-" + wanted;
  }

  void running(String key, boolean running) {
    Power power =
        running ? Power.RUNNING : random.nextBoolean() ? Power.STOPPED : Power.DEALLOCATED;
    change(there -> there.setPower(key, power));
  }

  /** Begins to delete a machine; how long that takes, zero when it is gone already. */
  Duration terminate(String key) {
    Duration marked =
        random.nextInt(3) == 0
            ? Duration.ZERO
            : Duration.ofMillis(random.nextLong(MARKED_MOST.toMillis()));
    if (marked.isZero()) {
      delete(key);
    } else {
      change(there -> there.markForDeletion(key));
    }
    return marked;
  }

  void delete(String key) {
    change(there -> there.delete(key));
  }

  /** Makes an interface that is attached nowhere; returns its id. */
  String foreignInterface(String subnet) {
    String id = group(0, "network") + "/Microsoft.Network/networkInterfaces/somebody-elses";
    Document configuration = ArmSamples.configuration("ipconfig", true, subnetId(subnet));
    ArmReply reply =
        handler.handle(
            new ArmRequest(
                "PUT",
                ArmDoors.ORIGIN,
                id,
                Map.of("api-version", "2025-03-01"),
                Optional.of("Bearer static-owner"),
                Optional.empty(),
                Optional.of(
                    Document.of("location", LOCATION)
                        .withProperty("ipConfigurations", List.of(configuration)))));
    if (reply.status() != 201) {
      throw new IllegalStateException(reply.body());
    }
    return id;
  }
}
