package io.tidemark.spi.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.Cidr;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AliasRangeOutcome;
import io.tidemark.spi.AliasRangeOutcome.Added;
import io.tidemark.spi.AliasRangeOutcome.AlreadyOurs;
import io.tidemark.spi.AliasRangeOutcome.Refused;
import io.tidemark.spi.AliasRangeOutcome.Taken;
import io.tidemark.spi.AliasRangeOutcome.Unknown;
import io.tidemark.spi.Capability;
import io.tidemark.spi.NodeAliasRanges;
import io.tidemark.spi.SyncOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Ranges of pod addresses that a cloud routes to instances (node-cidr AM28). Subclassed through
 * {@link AllocationContract}.
 */
abstract class AliasConformance extends CacheConformance {
  /** Two nodes whose instances the provider has read. */
  private ContractWorld two() {
    ContractWorld world = world().with(NodeShape.SMALL);
    world.launch("node2", NodeShape.SMALL, "subnet-a");
    ranges(world);
    world.node("node1", false);
    world.node("node2", false);
    return world;
  }

  private static Cidr first(ContractWorld world) {
    return world.cloud.aliasSamples().first();
  }

  private static Cidr second(ContractWorld world) {
    return world.cloud.aliasSamples().second();
  }

  private static NodeAliasRanges ranges(ContractWorld world) {
    return world.provider.aliasRanges().orElseThrow();
  }

  private static AliasRangeOutcome add(ContractWorld world, String node, Cidr cidr) {
    return world.await(ranges(world).add(world.instance(node), cidr, world.context()));
  }

  private static SyncOutcome sync(ContractWorld world, String node) {
    return world.await(world.provider.instanceSync(world.instance(node), world.context()));
  }

  private static Optional<List<Cidr>> known(ContractWorld world, String node) {
    return ranges(world).ranges(world.instance(node));
  }

  private static List<Cidr> truth(ContractWorld world, String node) {
    return world.cloud.aliasRanges(world.instance(node).text());
  }

  @Test
  @Needs(Capability.ALIAS_RANGES)
  @DisplayName("NC-AM28 The provider id of a Node names its instance, others name none")
  void providerIds() {
    ContractWorld world = world().with(NodeShape.SMALL);
    NodeAliasRanges ranges = ranges(world);
    assertThat(ranges.instanceOf(world.cloud.providerId(world.instance("node1").text())))
        .contains(world.instance("node1"));
    assertThat(ranges.instanceOf("")).isEmpty();
    assertThat(ranges.instanceOf("kind://docker/kind/worker")).isEmpty();
  }

  @Test
  @Needs(Capability.ALIAS_RANGES)
  @DisplayName("NC-AM28 Ranges are unknown until the instance was read, then as the cloud has them")
  void read() {
    ContractWorld world = world().with(NodeShape.SMALL);
    assertThat(known(world, "node1")).isEmpty();
    world.node("node1", false);
    assertThat(sync(world, "node1")).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(known(world, "node1")).contains(List.of());
    assertThat(add(world, "node1", first(world))).isInstanceOf(Added.class);
    assertThat(add(world, "node1", second(world))).isInstanceOf(Added.class);
    assertThat(known(world, "node1")).contains(List.of(first(world), second(world)));
    sync(world, "node1");
    assertThat(known(world, "node1")).contains(truth(world, "node1"));
    assertThat(truth(world, "node1")).containsExactlyInAnyOrder(first(world), second(world));
    world.provider.deleteInstance(world.instance("node1"));
    assertThat(known(world, "node1")).isEmpty();
  }

  @Test
  @Needs(Capability.ALIAS_RANGES)
  @DisplayName("NC-AM28 A range belongs to one instance: already ours, or taken")
  void taken() {
    ContractWorld world = two();
    assertThat(add(world, "node1", first(world))).isInstanceOf(Added.class);
    assertThat(add(world, "node1", first(world))).isInstanceOf(AlreadyOurs.class);
    assertThat(add(world, "node2", first(world))).isInstanceOf(Taken.class);
    for (Cidr other : world.cloud.aliasSamples().overlapping()) {
      assertThat(add(world, "node2", other)).as("%s", other).isInstanceOf(Taken.class);
    }
    assertThat(truth(world, "node1")).containsExactly(first(world));
    assertThat(truth(world, "node2")).isEmpty();
    world.terminate("node1");
    assertThat(add(world, "node2", first(world))).isInstanceOf(Added.class);
  }

  @Test
  @Needs(Capability.ALIAS_RANGES)
  @DisplayName("NC-AM28 A throttled request and an instance that is gone are refusals")
  void refused() {
    ContractWorld world = two();
    world.cloud.throttle(world.cloud.changingOperations());
    assertThat(add(world, "node1", first(world)))
        .isInstanceOfSatisfying(
            Refused.class,
            refused -> assertThat(refused.failure().kind()).isEqualTo(Failure.Kind.THROTTLED));
    world.cloud.throttle(Set.of());
    assertThat(truth(world, "node1")).isEmpty();
    world.terminate("node1");
    assertThat(add(world, "node1", first(world)))
        .isInstanceOfSatisfying(
            Refused.class,
            refused -> assertThat(refused.failure().kind()).isEqualTo(Failure.Kind.NOT_FOUND));
  }

  @Test
  @Needs(Capability.ALIAS_RANGES)
  @DisplayName("NC-AM28 After a lost answer a read shows the range, and nothing is done twice")
  void answerLost() {
    ContractWorld world = two();
    world.loseNextAnswer();
    assertThat(add(world, "node1", first(world))).isInstanceOf(Added.class);
    assertThat(known(world, "node1")).contains(List.of(first(world)));
    int changes = world.changes.size();
    world.cloud.lag(ContractCloud.LAG_MAX);
    world.loseNextAnswer();
    assertThat(add(world, "node1", second(world))).isInstanceOf(Unknown.class);
    assertThat(world.changes).hasSize(changes + 1);
    world.cloud.lag(Duration.ZERO);
    assertThat(add(world, "node1", second(world))).isInstanceOf(AlreadyOurs.class);
    assertThat(world.changes).as("a read answers").hasSize(changes + 1);
    assertThat(truth(world, "node1")).containsExactlyInAnyOrder(first(world), second(world));
  }

  @Test
  @Needs(Capability.ALIAS_RANGES)
  @DisplayName("NC-AM28 After a lost request the range is added by the next attempt")
  void requestLost() {
    ContractWorld world = two();
    world.loseNextRequest();
    assertThat(add(world, "node1", first(world))).isInstanceOf(Unknown.class);
    assertThat(known(world, "node1")).contains(List.of());
    assertThat(add(world, "node1", first(world))).isInstanceOf(Added.class);
    assertThat(truth(world, "node1")).containsExactly(first(world));
  }

  @Test
  @Needs(Capability.ALIAS_RANGES)
  @DisplayName("NC-AM28 D-4 An own range is not hidden by reads that show the past")
  void ownRangesWin() {
    ContractWorld world = two();
    world.run(Duration.ofMinutes(1));
    world.cloud.lag(ContractCloud.LAG_MAX);
    assertThat(add(world, "node1", first(world))).isInstanceOf(Added.class);
    sync(world, "node1");
    assertThat(known(world, "node1")).contains(List.of(first(world)));
    world.run(ContractCloud.LAG_MAX.multipliedBy(2));
    world.cloud.lag(Duration.ZERO);
    sync(world, "node1");
    assertThat(known(world, "node1")).contains(List.of(first(world)));
  }
}
