package io.tidemark.emulator.ec2.scenario;

import io.tidemark.emulator.ec2.action.MachineImage;
import io.tidemark.emulator.ec2.model.Caller;
import io.tidemark.emulator.ec2.model.Ec2Model;
import io.tidemark.emulator.ec2.model.Ec2Subnet;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import io.tidemark.emulator.ec2.scenario.Ec2Scenario.InstancePlan;
import io.tidemark.emulator.ec2.scenario.Ec2Scenario.ReservationPlan;
import io.tidemark.emulator.ec2.scenario.Ec2Scenario.SubnetPlan;
import io.tidemark.emulator.ec2.scenario.Ec2Scenario.VpcPlan;
import io.tidemark.emulator.kit.scenario.Place;
import io.tidemark.emulator.kit.scenario.ScenarioProblem;
import io.tidemark.ip.Cidr;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Creates the resources of a scenario with the actions of the API, an hour before the start, so
 * that everything runs and is visible at the start. A refusal by EC2 is a problem of the scenario.
 * Used by one thread.
 */
public final class WorldBuilder {
  private static final Duration BEFORE = Duration.ofHours(1);
  private static final int IPV6_SUBNET_LENGTH = 64;

  private final Ec2Model world;
  private final Instant at;
  private final SplittableRandom random;
  private final List<ScenarioProblem> problems = new ArrayList<>();
  private final Map<String, Made> subnets = new HashMap<>();
  private final Map<String, String> instances = new HashMap<>();
  private final Map<String, String> groups = new HashMap<>();

  private record Made(VpcPlan vpc, String vpcId, String id) {}

  private WorldBuilder(Ec2Model world, Instant now, long seed) {
    this.world = world;
    this.at = now.minus(BEFORE);
    this.random = new SplittableRandom(seed);
  }

  /**
   * A world that was made.
   *
   * @param metadataInstance the id of the instance whose metadata service there is
   * @param problems what could not be made; the world is of no use then
   */
  public record Built(
      Ec2Model world, Optional<String> metadataInstance, List<ScenarioProblem> problems) {
    public Built {
      problems = List.copyOf(problems);
    }
  }

  /**
   * Makes a world.
   *
   * @param empty a model with the scenario's options, never used before
   * @param now the start
   */
  public static Built build(Ec2Scenario scenario, Ec2Model empty, Instant now) {
    WorldBuilder builder = new WorldBuilder(empty, now, scenario.options().seed());
    scenario.vpcs().forEach(builder::vpc);
    scenario.instances().forEach(builder::instance);
    empty.pass(now);
    empty.faults().set(scenario.faults());
    scenario.denials().forEach(empty.denials()::set);
    return new Built(
        empty, scenario.metadata().instance().map(builder.instances::get), builder.problems);
  }

  private void vpc(VpcPlan plan) {
    TreeMap<String, String> form = new TreeMap<>();
    form.put("CidrBlock", plan.block().toString());
    if (plan.ipv6()) {
      form.put("AmazonProvidedIpv6CidrBlock", "true");
    }
    tags(form, "vpc", plan.name(), plan.tags());
    Optional<Answer> made = call(plan.place(), plan.account(), plan.region(), "CreateVpc", form);
    Optional<String> id = made.flatMap(a -> a.nested("vpc")).flatMap(v -> v.text("vpcId"));
    if (id.isPresent()) {
      for (int i = 0; i < plan.subnets().size(); i++) {
        subnet(plan, id.get(), plan.subnets().get(i), i);
      }
    }
  }

  private void subnet(VpcPlan vpc, String vpcId, SubnetPlan plan, int index) {
    TreeMap<String, String> form = new TreeMap<>();
    form.put("VpcId", vpcId);
    form.put("CidrBlock", plan.block().toString());
    plan.zone().ifPresent(zone -> form.put("AvailabilityZone", zone));
    if (plan.ipv6()) {
      form.put("Ipv6CidrBlock", ipv6Block(vpc, vpcId).subnet(IPV6_SUBNET_LENGTH, index).toString());
    }
    tags(form, "subnet", plan.name(), plan.tags());
    Optional<String> id =
        call(plan.place(), vpc.account(), vpc.region(), "CreateSubnet", form)
            .flatMap(answer -> answer.nested("subnet"))
            .flatMap(subnet -> subnet.text("subnetId"));
    if (id.isEmpty()) {
      return;
    }
    subnets.put(plan.name(), new Made(vpc, vpcId, id.get()));
    plan.reservations().forEach(reservation -> reserve(vpc, id.get(), reservation));
    if (!plan.share().isEmpty()) {
      world.share(vpc.region(), id.get(), new HashSet<>(plan.share()), at);
    }
    plan.fragmented().ifPresent(share -> fragment(vpc, id.get(), plan, share));
  }

  private Cidr ipv6Block(VpcPlan plan, String vpcId) {
    return world.region(plan.region()).vpcs().find(vpcId).orElseThrow().blocks().get(1).block();
  }

  private void reserve(VpcPlan vpc, String subnetId, ReservationPlan plan) {
    TreeMap<String, String> form = new TreeMap<>();
    form.put("SubnetId", subnetId);
    form.put("Cidr", plan.block().toString());
    form.put("ReservationType", plan.type());
    call(plan.place(), vpc.account(), vpc.region(), "CreateSubnetCidrReservation", form);
  }

  private void fragment(VpcPlan vpc, String subnetId, SubnetPlan plan, double share) {
    Region region = world.region(vpc.region());
    Ec2Subnet subnet = region.subnets().find(subnetId).orElseThrow();
    try {
      Fragments.take(world, region, subnet, share, random, at);
    } catch (Ec2Refusal refusal) {
      refused(plan.place(), "fragmented", refusal);
    }
  }

  private void instance(InstancePlan plan) {
    Made subnet = subnets.get(plan.subnet());
    if (subnet == null) {
      return;
    }
    for (int i = 1; i <= plan.count(); i++) {
      String name = plan.count() == 1 ? plan.name() : plan.name() + "-" + i;
      Optional<String> id = launch(plan, subnet, name);
      if (id.isEmpty()) {
        return;
      }
      instances.putIfAbsent(plan.name(), id.get());
    }
  }

  private Optional<String> launch(InstancePlan plan, Made subnet, String name) {
    TreeMap<String, String> form = new TreeMap<>();
    form.put("ImageId", MachineImage.ID);
    form.put("InstanceType", plan.type());
    form.put("MinCount", "1");
    form.put("MaxCount", "1");
    form.put("NetworkInterface.1.DeviceIndex", "0");
    form.put("NetworkInterface.1.SubnetId", subnet.id());
    if (plan.addresses() > 0) {
      form.put(
          "NetworkInterface.1.SecondaryPrivateIpAddressCount", Integer.toString(plan.addresses()));
    }
    tags(form, "instance", name, plan.tags());
    String account = plan.account().orElse(subnet.vpc().account());
    String region = subnet.vpc().region();
    if (!account.equals(subnet.vpc().account())) {
      Optional<String> group = group(plan, subnet, account);
      if (group.isEmpty()) {
        return Optional.empty();
      }
      form.put("NetworkInterface.1.SecurityGroupId.1", group.get());
    }
    Optional<Answer> instance =
        call(plan.place(), account, region, "RunInstances", form)
            .flatMap(answer -> answer.structures("instancesSet").stream().findFirst());
    if (instance.isPresent() && plan.prefixes() > 0) {
      return assignPrefixes(plan, instance.get(), account, region)
          .flatMap(done -> instance.get().text("instanceId"));
    }
    return instance.flatMap(made -> made.text("instanceId"));
  }

  /** Who uses another account's subnet cannot use the VPC's default group and needs its own. */
  private Optional<String> group(InstancePlan plan, Made subnet, String account) {
    String key = subnet.vpcId() + " " + account;
    if (!groups.containsKey(key)) {
      TreeMap<String, String> form = new TreeMap<>();
      form.put("GroupName", "instances-of-" + account);
      form.put("GroupDescription", "Instances in a shared subnet");
      form.put("VpcId", subnet.vpcId());
      call(plan.place(), account, subnet.vpc().region(), "CreateSecurityGroup", form)
          .flatMap(answer -> answer.text("groupId"))
          .ifPresent(id -> groups.put(key, id));
    }
    return Optional.ofNullable(groups.get(key));
  }

  /** No request may ask for addresses and prefixes at once. */
  private Optional<Answer> assignPrefixes(
      InstancePlan plan, Answer instance, String account, String region) {
    TreeMap<String, String> form = new TreeMap<>();
    form.put(
        "NetworkInterfaceId",
        instance.structures("networkInterfaceSet").get(0).text("networkInterfaceId").orElseThrow());
    form.put("Ipv4PrefixCount", Integer.toString(plan.prefixes()));
    return call(plan.place(), account, region, "AssignPrivateIpAddresses", form);
  }

  private static void tags(
      Map<String, String> form, String kind, String name, Map<String, String> tags) {
    TreeMap<String, String> all = new TreeMap<>(tags);
    all.putIfAbsent("Name", name);
    form.put("TagSpecification.1.ResourceType", kind);
    int index = 1;
    for (Map.Entry<String, String> tag : all.entrySet()) {
      form.put("TagSpecification.1.Tag." + index + ".Key", tag.getKey());
      form.put("TagSpecification.1.Tag." + index + ".Value", tag.getValue());
      index++;
    }
  }

  private Optional<Answer> call(
      Place place, String account, String region, String action, Map<String, String> form) {
    try {
      Caller caller = new Caller(account, region, account);
      return Optional.of(Fragments.call(world, caller, action, at, form));
    } catch (Ec2Refusal refusal) {
      refused(place, "", refusal);
      return Optional.empty();
    }
  }

  private void refused(Place place, String key, Ec2Refusal refusal) {
    String path = key.isEmpty() ? place.path() : place.path() + "." + key;
    problems.add(
        new ScenarioProblem(
            place.where(),
            path,
            "is refused by EC2: " + refusal.error(),
            "Change it, or raise a quota of the scenario."));
  }
}
