package io.tidemark.provider.aws.simulation;

import io.tidemark.emulator.ec2.action.Actions;
import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Caller;
import io.tidemark.emulator.ec2.model.Ec2Model;
import io.tidemark.emulator.ec2.model.Ec2ModelOptions;
import io.tidemark.emulator.ec2.model.Ec2ModelOptions.Delay;
import io.tidemark.emulator.ec2.model.Ec2Subnet;
import io.tidemark.emulator.ec2.model.Quota;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.QueryForm;
import io.tidemark.emulator.kit.pace.BucketSize;
import io.tidemark.emulator.kit.pace.DelayRange;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.Ipv4Address;
import io.tidemark.provider.aws.ec2.Copies;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.resource.EniSpec;
import io.tidemark.simulation.scenario.Fault;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.scenario.Scenario.SubnetShape;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A scenario's networks on the strict EC2, and what its owner does there, never hindered. */
final class Ec2World {
  static final String ACCOUNT = "111111111111";

  /** Owns VPC and subnets where two accounts are simulated. */
  static final String NETWORK_ACCOUNT = "222222222222";

  static final String REGION = "us-east-1";
  private static final String IMAGE = "ami-0123456789abcdef0";
  private static final Map<String, String> OTHERS = Map.of("owner", "somebody else");
  private static final int PUBLIC_ADDRESSES = 16;
  private static final Map<Quota, Integer> QUOTAS =
      Map.of(Quota.INTERFACES, 100_000, Quota.ELASTIC_ADDRESSES, PUBLIC_ADDRESSES);

  private final Ec2Model model;
  private final TimeSource time;
  private final Instant origin;
  private final Caller owner;
  private final Caller network;
  private final Map<String, String> launchGroups = new HashMap<>();
  private final Map<String, String> realByName = new HashMap<>();
  private final Map<String, String> nameByReal = new HashMap<>();

  /**
   * An account with the scenario's networks and nothing else.
   *
   * @param ipv6 whether the networks are dual-stack
   * @param split whether another account owns the networks
   * @param actions what the model does in place of the emulator's own
   */
  Ec2World(
      Scenario scenario,
      TimeSource time,
      long seed,
      boolean ipv6,
      boolean split,
      List<Action> actions) {
    this.time = time;
    this.origin = Instant.ofEpochMilli(time.epochMillis()).minusNanos(time.nanos());
    this.owner = new Caller(ACCOUNT, REGION, ACCOUNT);
    this.network = split ? new Caller(NETWORK_ACCOUNT, REGION, NETWORK_ACCOUNT) : owner;
    Map<String, Action> all = new LinkedHashMap<>();
    Actions.all().forEach(each -> all.put(each.name(), each));
    actions.forEach(each -> all.put(each.name(), each));
    this.model = new Ec2Model(options(scenario, seed), all.values());
    networks(scenario, ipv6);
    if (split) {
      for (SubnetShape each : scenario.subnets()) {
        model.share(REGION, real(each.id()), Set.of(ACCOUNT), now());
        launchGroups.computeIfAbsent(real(each.vpcId()), this::groupOfInstances);
      }
    }
  }

  private static Ec2ModelOptions options(Scenario scenario, long seed) {
    Ec2ModelOptions usual = Ec2ModelOptions.of(seed, SimulatedTypes.of(scenario.instanceTypes()));
    double share = scenario.cloud().buckets();
    return new Ec2ModelOptions(
        seed,
        usual.types(),
        QUOTAS,
        Math.max(usual.zonesPerRegion(), zones(scenario).size()),
        usual.choice(),
        share > 0,
        share > 0 ? buckets(share) : Map.of(),
        0,
        Map.of(),
        Map.of(
            Delay.READ_LAG, DelayRange.upTo(stalestRead(scenario)),
            Delay.ATTACH, DelayRange.upTo(Duration.ofSeconds(3))));
  }

  private static Map<String, BucketSize> buckets(double share) {
    Map<String, BucketSize> sizes = new HashMap<>();
    for (Ec2Operation each : Ec2Operation.values()) {
      sizes.put(
          each.action(),
          new BucketSize(
              (int) Math.max(1, each.bucketSize() * share), each.refillPerSecond() * share));
    }
    return sizes;
  }

  private static Duration stalestRead(Scenario scenario) {
    Duration most = scenario.cloud().staleness();
    for (Fault fault : scenario.faults()) {
      if (fault.kind() == Fault.Kind.STALE_READS && fault.step().compareTo(most) > 0) {
        most = fault.step();
      }
    }
    return most;
  }

  private static List<String> zones(Scenario scenario) {
    return scenario.subnets().stream().map(SubnetShape::zone).distinct().sorted().toList();
  }

  private void networks(Scenario scenario, boolean ipv6) {
    List<String> zones = zones(scenario);
    for (int i = 0; i < zones.size(); i++) {
      name(zones.get(i), REGION + (char) ('a' + i));
    }
    Set<String> vpcs = new TreeSet<>();
    scenario.subnets().forEach(each -> vpcs.add(each.vpcId()));
    for (String vpc : vpcs) {
      vpc(scenario, vpc, ipv6);
    }
    int number = 0;
    for (SubnetShape each : scenario.subnets()) {
      subnet(each, ipv6 ? Optional.of(number++) : Optional.empty());
    }
    for (int i = 0; i < PUBLIC_ADDRESSES; i++) {
      Answer made = prepare(owner, "AllocateAddress", parameters("Domain", "vpc"));
      String id = made.text("allocationId").orElseThrow();
      tag(owner, id, AwsSimulatedCloud.PUBLIC_ADDRESS_TAGS);
    }
  }

  private void vpc(Scenario scenario, String vpc, boolean ipv6) {
    List<Cidr> blocks = new ArrayList<>();
    for (SubnetShape each : scenario.subnets()) {
      Cidr block = Cidr.containing(each.cidr().first(), 16);
      if (each.vpcId().equals(vpc) && !blocks.contains(block)) {
        blocks.add(block);
      }
    }
    Answer made =
        prepare(
            network,
            "CreateVpc",
            parameters(
                "CidrBlock",
                blocks.get(0).toString(),
                "AmazonProvidedIpv6CidrBlock",
                Boolean.toString(ipv6)));
    name(vpc, made.nested("vpc").orElseThrow().text("vpcId").orElseThrow());
    for (Cidr block : blocks.subList(1, blocks.size())) {
      Map<String, String> more = parameters("VpcId", real(vpc), "CidrBlock", block.toString());
      prepare(network, "AssociateVpcCidrBlock", more);
    }
  }

  private void subnet(SubnetShape shape, Optional<Integer> ipv6) {
    Map<String, String> parameters =
        parameters("VpcId", real(shape.vpcId()), "CidrBlock", shape.cidr().toString());
    parameters.put("AvailabilityZone", real(shape.zone()));
    ipv6.ifPresent(number -> parameters.put("Ipv6CidrBlock", ipv6Block(shape.vpcId(), number)));
    Answer made = prepare(network, "CreateSubnet", parameters);
    name(shape.id(), made.nested("subnet").orElseThrow().text("subnetId").orElseThrow());
    for (Cidr block : shape.reserved()) {
      occupy(shape.id(), block);
    }
  }

  private String ipv6Block(String vpc, int number) {
    Cidr whole =
        region().vpcs().find(real(vpc)).orElseThrow().blocks().stream()
            .map(each -> each.block())
            .filter(block -> block.prefixLength() > 32)
            .findFirst()
            .orElseThrow();
    return whole.subnet(64, number).toString();
  }

  /** Somebody else takes all of a block. */
  private void occupy(String subnet, Cidr block) {
    Map<String, String> parameters =
        parameters("SubnetId", real(subnet), "Description", "occupied");
    for (int i = 0; i < block.sizeSaturated(); i++) {
      parameters.put(
          "PrivateIpAddresses." + (i + 1) + ".PrivateIpAddress", block.address(i).toString());
      parameters.put("PrivateIpAddresses." + (i + 1) + ".Primary", Boolean.toString(i == 0));
    }
    prepare(network, "CreateNetworkInterface", parameters);
  }

  /** An interface that others create; answers its id, or nothing where EC2 refuses. */
  Optional<String> create(
      String subnet, String description, Map<String, String> tags, String... more) {
    Map<String, String> parameters = parameters(more);
    parameters.putAll(tags("TagSpecification.1.", tags));
    parameters.put("TagSpecification.1.ResourceType", "network-interface");
    parameters.put("SubnetId", real(subnet));
    parameters.put("Description", description);
    return tried("CreateNetworkInterface", parameters)
        .flatMap(answer -> answer.nested("networkInterface"))
        .flatMap(answer -> answer.text("networkInterfaceId"));
  }

  /** Others attach an interface, or delete it; answers the attachment. */
  Optional<String> attach(String id, String instance, int index, String... more) {
    Map<String, String> parameters = parameters(more);
    parameters.putAll(Map.of("NetworkInterfaceId", id, "InstanceId", instance));
    parameters.put("DeviceIndex", Integer.toString(index));
    Optional<String> attachment =
        tried("AttachNetworkInterface", parameters).flatMap(made -> made.text("attachmentId"));
    if (attachment.isEmpty()) {
      tried("DeleteNetworkInterface", parameters("NetworkInterfaceId", id));
    }
    return attachment;
  }

  /** An interface of somebody else's with this address; answers its id. */
  String foreignInterface(String subnet, Ipv4Address address) {
    return create(subnet, "somebody else's", OTHERS, "PrivateIpAddress", address.toString())
        .orElseThrow();
  }

  /**
   * An interface that somebody else attaches to an instance, to go with it; answers its id, or
   * nothing where EC2 refuses.
   */
  Optional<String> foreignInterface(
      String instance, String subnet, String type, int card, int index) {
    Optional<String> made = create(subnet, "somebody else's", OTHERS, "InterfaceType", type);
    Optional<String> attachment =
        made.flatMap(id -> attach(id, instance, index, "NetworkCardIndex", Integer.toString(card)));
    if (attachment.isEmpty()) {
      return Optional.empty();
    }
    Map<String, String> mark =
        parameters(
            "NetworkInterfaceId", made.orElseThrow(), "Attachment.DeleteOnTermination", "true");
    mark.put("Attachment.AttachmentId", attachment.get());
    prepare(network, "ModifyNetworkInterfaceAttribute", mark);
    pass();
    return made;
  }

  /** EC2's answer to others; empty when it refuses. */
  private Optional<Answer> tried(String action, Map<String, String> parameters) {
    return model
        .prepare(network, form(action, parameters), now())
        .result()
        .match(Optional::of, error -> Optional.empty());
  }

  /** In the VPC of another account an instance needs a group of its own account's. */
  private String groupOfInstances(String vpcId) {
    return prepare(
            owner,
            "CreateSecurityGroup",
            parameters("VpcId", vpcId, "GroupName", "nodes", "GroupDescription", "nodes"))
        .text("groupId")
        .orElseThrow();
  }

  /** The groups that nodes must name: with two accounts those of the networks' owner. */
  List<String> securityGroups(String vpc) {
    return launchGroups.isEmpty()
        ? List.of()
        : region()
            .groups()
            .present()
            .filter(
                each -> each.vpcId().equals(real(vpc)) && each.ownerId().equals(NETWORK_ACCOUNT))
            .map(each -> each.id())
            .toList();
  }

  /** Others ask for something that EC2 may refuse. */
  void tried(String action, String... pairs) {
    tried(action, parameters(pairs));
  }

  private static Map<String, String> parameters(String... pairs) {
    Map<String, String> all = new HashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      all.put(pairs[i], pairs[i + 1]);
    }
    return all;
  }

  private static Map<String, String> tags(String prefix, Map<String, String> tags) {
    Map<String, String> parameters = new HashMap<>();
    int number = 0;
    for (Map.Entry<String, String> each : new TreeMap<>(tags).entrySet()) {
      number++;
      parameters.put(prefix + "Tag." + number + ".Key", each.getKey());
      parameters.put(prefix + "Tag." + number + ".Value", each.getValue());
    }
    return parameters;
  }

  // ---- instances

  String launch(String type, String subnet) {
    Map<String, String> parameters = parameters("SubnetId", real(subnet));
    String vpc = region().subnets().find(real(subnet)).orElseThrow().vpcId();
    if (launchGroups.containsKey(vpc)) {
      parameters.put("SecurityGroupId.1", launchGroups.get(vpc));
    }
    return launch(type, parameters);
  }

  /** With an EFA without addresses at a device index; in one account. */
  String launch(String type, String subnet, int efaIndex) {
    return launch(
        type,
        parameters(
            "NetworkInterface.1.DeviceIndex", "0",
            "NetworkInterface.1.SubnetId", real(subnet),
            "NetworkInterface.2.DeviceIndex", Integer.toString(efaIndex),
            "NetworkInterface.2.SubnetId", real(subnet),
            "NetworkInterface.2.InterfaceType", "efa-only"));
  }

  /** Ids of the instance's interfaces of one of EC2's types. */
  List<String> interfacesOf(String instance, String type) {
    return region().instances().find(instance).orElseThrow().interfaceIds().stream()
        .filter(id -> region().interfaces().find(id).orElseThrow().type().equals(type))
        .toList();
  }

  private String launch(String type, Map<String, String> parameters) {
    parameters.putAll(Map.of("ImageId", IMAGE, "MinCount", "1", "MaxCount", "1"));
    parameters.put("InstanceType", SimulatedTypes.name(type));
    Answer made = prepare(owner, "RunInstances", parameters);
    pass();
    return made.structures("instancesSet").get(0).text("instanceId").orElseThrow();
  }

  void tag(String subnet, Map<String, String> tags) {
    tag(network, real(subnet), tags);
    pass();
  }

  private void tag(Caller caller, String id, Map<String, String> tags) {
    Map<String, String> parameters = tags("", tags);
    parameters.put("ResourceId.1", id);
    prepare(caller, "CreateTags", parameters);
  }

  void change(String action, String instanceId) {
    prepare(owner, action, parameters("InstanceId.1", instanceId));
    pass();
  }

  private Answer prepare(Caller caller, String action, Map<String, String> parameters) {
    return model
        .prepare(caller, form(action, parameters), now())
        .result()
        .match(
            answer -> answer,
            error -> {
              throw new IllegalStateException(action + " " + parameters + ": " + error);
            });
  }

  static QueryForm form(String action, Map<String, String> parameters) {
    Map<String, String> all = new HashMap<>(parameters);
    all.put("Action", action);
    all.put("Version", "2016-11-15");
    return QueryForm.of(all);
  }

  /** Others use so much of what each bucket refills in {@code seconds}. */
  void neighboursTake(double share, double seconds) {
    for (Ec2Operation each : Ec2Operation.values()) {
      model.neighboursTake(owner, each.action(), share * seconds, now());
    }
  }

  // ---- what is

  /** The section of an instance, as its agent writes it. */
  EniSpec spec(String type, int firstInterfaceIndex, String subnet) {
    Ec2Subnet real = region().subnets().find(real(subnet)).orElseThrow();
    return Copies.with(
        EniSpec.EMPTY,
        Map.of(
            "instanceType", SimulatedTypes.name(type),
            "firstInterfaceIndex", OptionalInt.of(firstInterfaceIndex),
            "nodeSubnetId", real.id(),
            "vpcId", real.vpcId(),
            "availabilityZone", real.zone().name()));
  }

  /** Requests so far, by operation. */
  SortedMap<String, Long> calls() {
    SortedMap<String, Long> calls = new TreeMap<>();
    model.counts().byAction().forEach((action, count) -> calls.put(action, count.calls()));
    return calls;
  }

  /** Requests that EC2 throttled so far, by operation. */
  SortedMap<String, Long> throttled() {
    SortedMap<String, Long> throttled = new TreeMap<>();
    model
        .counts()
        .byAction()
        .forEach(
            (action, count) ->
                Optional.ofNullable(count.refusals().get("RequestLimitExceeded"))
                    .filter(refused -> refused > 0)
                    .ifPresent(refused -> throttled.put(action, refused)));
    return throttled;
  }

  Ec2Model model() {
    return model;
  }

  Caller owner() {
    return owner;
  }

  Caller network() {
    return network;
  }

  Region region() {
    return model.region(REGION);
  }

  TimeSource time() {
    return time;
  }

  /** The instant that EC2 is told, which no step of the wall clock moves. */
  Instant now() {
    return origin.plusNanos(time.nanos());
  }

  /** Ids of the interfaces that were created under a token of ours and still exist. */
  List<String> madeUnder(String token) {
    return region()
        .interfaces()
        .presentBy("tag:", "tidemark.io/token\0" + token)
        .map(each -> each.id())
        .toList();
  }

  /** Whether an interface takes a place that counts for us. */
  boolean isOnCard0(String id) {
    return region()
        .interfaces()
        .find(id)
        .flatMap(each -> each.attachment())
        .map(attachment -> attachment.card() == 0)
        .orElse(true);
  }

  /** Lets happen what is due by now. */
  void pass() {
    model.pass(now());
  }

  private void name(String name, String real) {
    realByName.put(name, real);
    nameByReal.put(real, name);
  }

  /** EC2's id of what the scenario calls {@code name}. */
  String real(String name) {
    return known(realByName, name);
  }

  /** The scenario's name of a thing of EC2's. */
  String name(String real) {
    return known(nameByReal, real);
  }

  private static String known(Map<String, String> names, String of) {
    @Nullable String found = names.get(of);
    if (found == null) {
      throw new IllegalStateException("nothing is called " + of);
    }
    return found;
  }
}
