package io.tidemark.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.node.config.EngineConfig;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  @DisplayName("D-9 D-17 the cloud is read as it can be, and changed while it can be read")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          D-17 a throttled account is scanned more rarely, by twice the pause, and its nodes go on (D-9) \
            | create p=8; start; 70s; scans 2; noScan THROTTLED; noScan THROTTLED; 1m; scans 3; \
              ready; use 3; 1s; is 11/3; 100s; scans 3; 40s; scans 4
          D-9 the embedding program may forbid changes; the next full scan decides anew \
            | start; 1ms; forbid; create p=8; 1s; is 0/0; unready; resync; 1s; is 8/0; ready
          """)
  void story(String what, String story) {
    NodeStory.run(NodeWorld.idle(plain), what, story);
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
  @DisplayName("D-9 readiness follows the full scan; a single node's failures leave it alone")
  void readiness() {
    NodeStory.run(
        plain,
        "reads of one node fail, then a scan is refused, then one is answered",
        "refuse TRANSIENT; noRead TRANSIENT; ".repeat(5)
            + "use 3; sync; 20s; ready; metric INSTANCES_API_READY; noScan CONFIGURATION; resync;"
            + " 10ms; unready; 2s; ready; value INSTANCES_API_READY 1");
  }
}
