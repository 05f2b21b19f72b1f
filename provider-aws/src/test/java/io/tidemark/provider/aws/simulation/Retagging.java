package io.tidemark.provider.aws.simulation;

import io.tidemark.emulator.ec2.model.Ec2NetworkInterface;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.scenario.Scenario.SubnetShape;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * Every other subnet loses the tag by which nodes select it, and has it again long before the
 * scenario ends. Drawn by the seed.
 */
final class Retagging {
  /** The tags by which nodes select subnets. */
  static final Map<String, String> SELECTED = Map.of("use", "pods");

  private static final Map<String, String> DESELECTED = Map.of("use", "none");
  private static final Duration QUIET_END = Duration.ofSeconds(250);

  private final Ec2World world;
  private int emptied;

  Retagging(Ec2World world, Scenario scenario, VirtualTime time, long seed) {
    this.world = world;
    SplittableRandom random = new SplittableRandom(seed ^ 0x7a95L);
    Duration latest = scenario.duration().minus(QUIET_END);
    for (SubnetShape each : scenario.subnets()) {
      world.tag(each.id(), SELECTED);
      Duration from = Duration.ofSeconds(random.nextInt(60, 300));
      Duration until = from.plusSeconds(random.nextInt(120, 600));
      if (random.nextBoolean() && from.compareTo(latest) < 0) {
        Duration lasting = (until.compareTo(latest) < 0 ? until : latest).minus(from);
        time.after(from, () -> deselect(each.id(), lasting, time));
      }
    }
  }

  private void deselect(String subnet, Duration lasting, VirtualTime time) {
    Set<String> before = holding(subnet);
    world.tag(subnet, DESELECTED);
    time.after(
        lasting,
        () -> {
          world.tag(subnet, SELECTED);
          Set<String> now = holding(subnet);
          emptied += (int) before.stream().filter(id -> !now.contains(id)).count();
        });
  }

  /** Interfaces of ours in a subnet that hold addresses for pods. */
  private Set<String> holding(String subnet) {
    return world
        .region()
        .interfaces()
        .present()
        .filter(each -> each.placement().subnetId().equals(world.real(subnet)))
        .filter(each -> each.tags().values().containsKey("tidemark.io/cluster"))
        .filter(
            each ->
                !each.addresses().secondary().isEmpty() || !each.addresses().prefixes().isEmpty())
        .map(Ec2NetworkInterface::id)
        .collect(Collectors.toSet());
  }

  /** How many interfaces of subnets that were not selected held nothing more in the end. */
  int emptied() {
    return emptied;
  }
}
