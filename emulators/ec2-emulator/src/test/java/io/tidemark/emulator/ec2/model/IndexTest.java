package io.tidemark.emulator.ec2.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.World;
import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import io.tidemark.emulator.kit.pace.DelayRange;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Listings by an indexed filter")
class IndexTest {
  private static final Duration LAG = Duration.ofSeconds(30);
  private static final int SEQUENCES = 100;
  private static final int CALLS = 60;

  @Test
  @DisplayName("go through their answer alone, not through the table")
  void answerAlone() {
    World world = new World();
    String vpc = world.vpc("10.0.0.0/16");
    String subnet = world.subnet(vpc, "10.0.0.0/20");
    String other = world.subnet(vpc, "10.0.16.0/24");
    List<String> all = IntStream.range(0, 300).mapToObj(i -> world.interfaceId(subnet)).toList();
    String lonely = world.interfaceId(other);
    String instance = world.instance("m5.large", subnet);
    world.attach(all.get(7), instance, 1);
    world.call("CreateTags", "ResourceId.1=" + all.get(9), "Tag.1.Key=owner&Tag.1.Value=blue");
    world.call("CreateTags", "ResourceId.1=" + all.get(8), "Tag.1.Key=owner&Tag.1.Value=red");

    assertThat(rows(world, "attachment.instance-id", instance)).isEqualTo(2);
    assertThat(rows(world, "subnet-id", other)).isEqualTo(1);
    assertThat(rows(world, "vpc-id", vpc)).isEqualTo(302);
    assertThat(rows(world, "tag:owner", "blue")).isEqualTo(1);
    assertThat(rows(world, "tag:owner", "blue", "red")).isEqualTo(2);
    assertThat(rows(world, "network-interface-id", all.get(3), lonely)).isEqualTo(2);
    assertThat(rows(world, "status", "available")).isEqualTo(302);
  }

  @Test
  @DisplayName("find what a look at everything finds, also when readers see the past")
  void sameAsEverything() {
    for (long seed = 1; seed <= SEQUENCES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      World world =
          new World(
              Ec2ModelOptions.of(seed, Ec2InstanceTypes.bundled())
                  .withDelay(
                      DelayRange.upTo(LAG),
                      Ec2ModelOptions.Delay.VISIBILITY,
                      Ec2ModelOptions.Delay.READ_LAG));
      String subnet = world.subnet("10.0.0.0/24");
      List<String> instances =
          IntStream.range(0, 3).mapToObj(i -> world.instance("m5.xlarge", subnet)).toList();
      for (int i = 0; i < CALLS; i++) {
        step(world, random, subnet, instances);
        world.pass(Duration.ofSeconds(random.nextInt(10)));
        compare(world, random, instances, seed);
      }
    }
  }

  private static void step(
      World world, SplittableRandom random, String subnet, List<String> instances) {
    List<Ec2NetworkInterface> all = world.region().interfaces().present().toList();
    Ec2NetworkInterface some = all.get(random.nextInt(all.size()));
    switch (random.nextInt(6)) {
      case 0, 1 -> world.send("CreateNetworkInterface", "SubnetId=" + subnet);
      case 2 -> world.send("DeleteNetworkInterface", "NetworkInterfaceId=" + some.id());
      case 3 ->
          world.send(
              "AttachNetworkInterface",
              "NetworkInterfaceId=" + some.id(),
              "InstanceId=" + instances.get(random.nextInt(instances.size())),
              "DeviceIndex=1");
      case 4 ->
          world.send(
              "DetachNetworkInterface",
              "AttachmentId="
                  + some.attachment().map(Ec2Attachment::id).orElse("eni-attach-00000000"));
      default ->
          world.send(
              random.nextBoolean() ? "CreateTags" : "DeleteTags",
              "ResourceId.1=" + some.id(),
              "Tag.1.Key=owner&Tag.1.Value=blue");
    }
  }

  private static void compare(
      World world, SplittableRandom random, List<String> instances, long seed) {
    Instant at = world.now().minus(Duration.ofSeconds(random.nextInt((int) LAG.toSeconds())));
    String instance = instances.get(random.nextInt(instances.size()));
    same(
        world,
        at,
        Map.of("attachment.instance-id", Set.of(instance)),
        one -> one.attachment().filter(a -> a.instanceId().equals(instance)).isPresent(),
        seed);
    same(
        world,
        at,
        Map.of("tag:owner", Set.of("blue")),
        one -> one.tags().values().containsKey("owner"),
        seed);
  }

  private static void same(
      World world,
      Instant at,
      Map<String, Set<String>> exact,
      Predicate<Ec2NetworkInterface> filter,
      long seed) {
    Table<Ec2NetworkInterface> table = world.region().interfaces();
    assertThat(table.seen(at, 0, exact).filter(seen -> filter.test(seen.resource())))
        .as("seed %d, %s at %s", seed, exact, at)
        .containsExactlyElementsOf(
            table.seen(at, 0, Map.of()).filter(seen -> filter.test(seen.resource())).toList());
  }

  private static long rows(World world, String filter, String... values) {
    return world.region().interfaces().seen(world.now(), 0, Map.of(filter, Set.of(values))).count();
  }
}
