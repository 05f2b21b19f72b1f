package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.metrics.Metric;
import io.tidemark.provider.aws.ec2.Copies;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.EditedEc2;
import io.tidemark.spi.PoolId;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Which unattached interfaces are deleted, and when (provider-aws 6, M9)")
class EniGarbageCollectorTest {
  private static final Map<String, String> OURS = Map.of(OwnerTags.CLUSTER, EniWorld.CLUSTER);

  private EniWorld world = new EniWorld();

  /** Two accounts: a listing of the VPCs, which the instances' account answers, lacks them. */
  private static Ec2Api withoutUnattached(Ec2Api ec2) {
    return EditedEc2.reads(
        ec2,
        (query, all) ->
            query.values().containsKey("vpc-id")
                ? all.stream().filter(each -> each.attachment().isPresent()).toList()
                : all);
  }

  private void with(String description, Duration interval, EniSettings.Scope scope) {
    EniSettings settings =
        Copies.with(
            SettingsSample.USUAL,
            Map.of("scope", scope, "description", description, "collectionInterval", interval));
    world =
        new EniWorld(
            settings,
            scope.crossAccount() ? EniGarbageCollectorTest::withoutUnattached : api -> api);
  }

  @DisplayName("The description must begin as a creation's: set, by default, or the reference's")
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "Pods (i-0), false",
    "Tidemark (i-0), false",
    "Cilium-CNI (i-0), false",
    "Pods, true",
    "Pods of the database, true",
    "Tidemarks (i-0), true",
    "(i-0), true"
  })
  void descriptions(String description, boolean stays) {
    with("Pods", SettingsSample.COLLECTION_INTERVAL, EniSettings.Scope.USUAL);
    world.node("node1");
    String parked = world.ec2.parked(world.home(), description, OURS);
    world.pass(7);
    assertThat(world.ec2.exists(parked)).isEqualTo(stays);
  }

  @Test
  @DisplayName("Without an interval none is deleted, and the metric says that it is off")
  void off() {
    with("Tidemark", Duration.ZERO, EniSettings.Scope.USUAL);
    world.node("node1");
    String parked = world.leftOver(Map.of());
    world.pass(12);
    assertThat(world.ec2.exists(parked)).isTrue();
    assertThat(world.interfaceMetrics.value(Metric.ENI_GC_STATE, "off")).isEqualTo(1);
  }

  @DisplayName("eni-gc-tags replace the name of the cluster, with one account and with two")
  @ParameterizedTest(name = "two accounts: {0}")
  @ValueSource(booleans = {false, true})
  void unnamedWithTags(boolean crossAccount) {
    with(
        "Tidemark",
        SettingsSample.COLLECTION_INTERVAL,
        Copies.with(
            EniSettings.Scope.USUAL,
            Map.of("collectionTags", Map.of("team", "a"), "crossAccount", crossAccount)));
    world.cluster = "";
    world.node("node1");
    String parked = world.ec2.parked(world.home(), "Tidemark (i-0)", Map.of("team", "a"));
    String other = world.ec2.parked(world.home(), "Tidemark (i-0)", Map.of("team", "b"));
    world.pass(7);
    assertThat(world.ec2.exists(parked)).isFalse();
    assertThat(world.ec2.exists(other)).isTrue();
    assertThat(world.interfaceMetrics.value(Metric.ENI_GC_STATE, "on")).isEqualTo(1);
  }

  @Test
  @DisplayName("An old one goes a horizon after it was first seen, and its subnet has more at once")
  void seenTwice() {
    world.node("node1");
    String parked = world.leftOver(world.createdIn(Duration.ofHours(-1)));
    world.resync();
    for (int half = 0; half < 2; half++) {
      world.run(Duration.ofSeconds(29));
      world.resync();
      world.run(Duration.ofMillis(500));
      assertThat(world.ec2.exists(parked)).as("within the horizon").isTrue();
    }
    world.pass(1);
    world.run(Duration.ofMillis(500));
    assertThat(world.ec2.exists(parked)).isFalse();
    assertThat(world.interfaceMetrics.value(Metric.ENI_GC_DELETED)).isEqualTo(1);
    assertThat(
            Objects.requireNonNull(world.provider.poolQuota().get(new PoolId(world.home())))
                .availableIps())
        .isEqualTo(world.ec2.freeAddresses(world.home()));
  }
}
