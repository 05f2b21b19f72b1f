package io.tidemark.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.metrics.Metric;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The background scan and readiness (node-manager 5.1, 5.2, 13 D-9, D-17)")
class BackgroundScanTest {
  private static final Duration ONE_SECOND = Duration.ofSeconds(1);

  private final EngineConfig plain = EngineConfig.defaults();

  /** Seconds at which scans began, in {@code time} from the start. */
  private static List<Double> scans(NodeWorld world, Duration time) {
    List<Double> at = new ArrayList<>();
    long[] seen = {0};
    world.time.afterEachStep(
        () -> {
          long now = world.provider.count("resync");
          if (now > seen[0]) {
            seen[0] = now;
            at.add(world.time.nanos() / 1e9);
          }
        });
    world.start();
    world.run(time);
    return at;
  }

  @Test
  @DisplayName("D-17 the period grows with the cluster: 60 s x ln(1 + 100) = 277 s")
  void largeCluster() {
    NodeWorld world = NodeWorld.idle(plain);
    for (int i = 0; i < 100; i++) {
      world.create("node" + i, 1, 0);
    }
    List<Double> at = scans(world, Duration.ofMinutes(30));
    assertEquals(60, at.get(1), 6.001, "the first pause began before a node was known");
    for (int i = 2; i < at.size(); i++) {
      assertEquals(277, at.get(i) - at.get(i - 1), 28);
    }
  }

  @Test
  @DisplayName("D-17 a throttled account is scanned more rarely, and its nodes go on (D-9)")
  void throttled() {
    NodeWorld world = NodeWorld.idle(plain);
    List<Double> at = new ArrayList<>();
    world.create("node1", 8, 0);
    at.addAll(scans(world, Duration.ofSeconds(70)));
    assertEquals(2, at.size());
    for (int i = 0; i < 2; i++) {
      world.provider.failResync(Failure.Kind.THROTTLED);
    }
    world.run(Duration.ofMinutes(1));
    assertEquals(3, world.provider.count("resync"));
    assertTrue(world.manager.instancesApiIsReady(), "a slow account is not a broken one");
    world.use("node1", 3);
    world.run(ONE_SECOND);
    assertEquals("11/3", world.availableUsed("node1"));
    world.run(Duration.ofSeconds(100));
    assertEquals(3, world.provider.count("resync"), "twice the pause");
    world.run(Duration.ofSeconds(40));
    assertEquals(4, world.provider.count("resync"));
  }

  @Test
  @DisplayName("D-9 readiness follows the full scan; a single node's failures leave it alone")
  void readiness() {
    NodeWorld world = NodeWorld.filled();
    for (int i = 0; i < 5; i++) {
      world.provider.node("node1").refuseAllocation(Failure.Kind.TRANSIENT);
      world.provider.failInstanceSync(Failure.Kind.TRANSIENT);
    }
    world.use("node1", 3);
    world.manager.requestInstanceSync("node1");
    world.run(Duration.ofSeconds(20));
    assertTrue(world.manager.instancesApiIsReady(), "reads of one node never stop the others");
    assertEquals(Map.of(), world.metrics.all(Metric.INSTANCES_API_READY));

    world.provider.failResync(Failure.Kind.CONFIGURATION);
    world.manager.resync();
    world.run(Duration.ofMillis(10));
    assertFalse(world.manager.instancesApiIsReady(), "the last scan was refused");
    world.run(Duration.ofSeconds(2));
    assertTrue(world.manager.instancesApiIsReady(), "the scan after it was answered");
    assertEquals(1, world.metrics.value(Metric.INSTANCES_API_READY));
  }

  @Test
  @DisplayName("D-9 the embedding program may forbid changes; the next full scan decides anew")
  void setReadiness() {
    NodeWorld world = NodeWorld.started(plain);
    world.manager.setInstancesApiReadiness(false);
    world.create("node1", 8, 0);
    world.run(ONE_SECOND);
    assertEquals("0/0", world.availableUsed("node1"));
    world.manager.resync();
    world.run(ONE_SECOND);
    assertEquals("8/0", world.availableUsed("node1"));
  }

  private static String detail(NodeWorld world) {
    Blocked why = world.report("node1").blocked().orElseThrow();
    assertEquals(BlockedReason.INSTANCES_API_UNSTABLE, why.reason());
    return why.detail();
  }

  @Test
  @DisplayName("D-9 a node that waits for the API tells how the last full scan failed, always anew")
  void cause() {
    NodeWorld world = NodeWorld.idle(plain);
    world.manager.setInstancesApiReadiness(false);
    world.create("node1", 8, 0);
    world.watch();
    world.run(ONE_SECOND);
    assertEquals(Optional.empty(), world.report("node1").blocked());
    assertEquals(NodeState.WAITING, world.report("node1").state());
    List<String> told = new ArrayList<>();
    world.manager.onChange(told::add);
    world.provider.failResync(Failure.Kind.CONFIGURATION, "noCredentials", "none are found");
    world.provider.failResync(Failure.Kind.TRANSIENT, "circuitOpen", "not sent");
    world.provider.failResync(Failure.Kind.TRANSIENT, "notSent", "UnknownHostException: ec2");
    world.manager.start();
    world.run(Duration.ofMillis(500));
    String credentials =
        "the last full scan failed with TM-2007 CALL_REFUSED noCredentials: none are found";
    assertEquals(credentials, detail(world));
    assertEquals(NodeState.BLOCKED, world.report("node1").state());
    assertEquals(List.of("node1"), told);
    world.run(ONE_SECOND);
    assertEquals(2, world.provider.count("resync"));
    assertEquals(credentials, detail(world), "the breaker hides no cause");
    assertEquals(List.of("node1"), told);
    world.run(Duration.ofSeconds(2));
    assertEquals(3, world.provider.count("resync"));
    assertEquals(
        "the last full scan failed with TM-2002 CALL_FAILED notSent: UnknownHostException: ec2",
        detail(world));
    assertEquals(
        Optional.of(detail(world)), world.manager.instancesApiTrouble().map(Blocked::detail));
    assertEquals(List.of("node1", "node1"), told);
    assertEquals(
        detail(world), world.explain("node1").blocked().map(Blocked::detail).orElseThrow());
  }

  @Test
  @DisplayName("5.8 an interval grows with the logarithm of the cluster")
  void interval() {
    NodeWorld world = NodeWorld.started(plain);
    assertEquals(ONE_SECOND, world.manager.clusterSizeDependantInterval(ONE_SECOND));
    for (int i = 0; i < 16; i++) {
      world.create("node" + i, 1, 0);
    }
    world.run(ONE_SECOND);
    Duration minute = world.manager.clusterSizeDependantInterval(Duration.ofMinutes(1));
    assertEquals(169.993, minute.toNanos() / 1e9, 0.001);
  }
}
