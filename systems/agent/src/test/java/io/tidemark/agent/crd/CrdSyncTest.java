package io.tidemark.agent.crd;

import static io.tidemark.agent.TestNode.granted;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.CoolingRule;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.resource.InMemoryNodeResourceStore.Operation;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.StoreResult;
import io.tidemark.resource.UsedAddress;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What an agent writes into its node's object")
class CrdSyncTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final CrdWorld world = new CrdWorld();

  private void object(int addresses) {
    world.object(
        CrdWorld.sample(
                IntStream.rangeClosed(1, addresses)
                    .mapToObj(i -> "10.0.0." + i)
                    .toArray(String[]::new))
            .build());
  }

  @Test
  @DisplayName("A50 Nothing is written before all families are restored, then once")
  void restoreFinished() {
    world.families = EnumSet.allOf(IpFamily.class);
    object(4);
    world.begin();
    granted(world.ipam().restore(IpAddress.parse("10.0.0.1"), "a/b", CrdWorld.POOL));
    world.take("10.0.0.2", "c");
    world.ipam().restoreFinished(IpFamily.IPV4);
    world.pass(Duration.ofMinutes(1));
    assertThat(world.writes()).isZero();
    world.ipam().restoreFinished(IpFamily.IPV6);
    world.ipam().restoreFinished(IpFamily.IPV6);
    world.ipam().restoreFinished(IpFamily.IPV4);
    world.pass(Duration.ofMinutes(1));
    assertThat(world.writes()).isEqualTo(1);
    assertThat(world.used())
        .isEqualTo(
            Map.of(
                "10.0.0.1", new UsedAddress("a/b", "eni-1"),
                "10.0.0.2", new UsedAddress("c", "eni-1")));
  }

  @Test
  @DisplayName("A48 A hundred allocations in a second are two writes, and the last says all")
  void coalesced() {
    object(100);
    world.start();
    world.pass(CrdWorld.RATE);
    long before = world.writes();
    for (int i = 1; i <= 100; i++) {
      world.take("10.0.0." + i, "pod-" + i);
      world.pass(Duration.ofMillis(10));
    }
    world.pass(CrdWorld.RATE);
    assertThat(world.writes() - before).isLessThanOrEqualTo(2);
    assertThat(world.used()).hasSize(100);
    world.pass(CrdWorld.GRACE);
    assertThat(world.writes() - before).as("equal content is no write").isLessThanOrEqualTo(2);
  }

  @Test
  @DisplayName("A49 On a conflict the newest version is read and changed; nobody's part is lost")
  void conflict() {
    object(4);
    world.start();
    world.pass(CrdWorld.RATE);
    boolean[] done = {false};
    world.faults =
        operation -> {
          if (operation == Operation.UPDATE_STATUS && !done[0]) {
            done[0] = true;
            world.editSilently(node -> node.withAssignedStaticIp(IpAddress.parse("192.0.2.1")));
          }
          return Optional.empty();
        };
    world.take("10.0.0.1", "a");
    world.pass(SECOND);
    assertThat(world.used()).containsOnlyKeys("10.0.0.1");
    assertThat(world.now().assignedStaticIp()).contains("192.0.2.1");
    assertThat(world.requests).anyMatch(each -> each.startsWith("GET"));
  }

  @Test
  @DisplayName("A49 After three conflicts, a failure or a refusal the next interval tries again")
  void nextInterval() {
    object(4);
    world.start();
    world.pass(CrdWorld.RATE);
    for (StoreResult result :
        new StoreResult[] {
          new StoreResult.Conflict(), new StoreResult.Failed("x"), new StoreResult.Refused("x")
        }) {
      long before = world.writes();
      world.faults =
          operation ->
              operation == Operation.UPDATE_STATUS ? Optional.of(result) : Optional.empty();
      world.take("10.0.0.1", "a");
      world.pass(SECOND);
      assertThat(world.writes() - before)
          .as(result.toString())
          .isEqualTo(result instanceof StoreResult.Conflict ? 3 : 1);
      assertThat(world.used()).isEmpty();
      world.faults = operation -> Optional.empty();
      world.pass(CrdWorld.RATE);
      assertThat(world.used()).containsOnlyKeys("10.0.0.1");
      world.release("10.0.0.1");
      world.pass(CrdWorld.RATE.multipliedBy(2));
      assertThat(world.used()).isEmpty();
    }
  }

  @Test
  @DisplayName("A78 An address that cools again before its use was written leaves the object too")
  void coolsAgain() {
    world.cooling = CoolingRule.DEFAULT;
    object(1);
    world.start();
    world.take("10.0.0.1", "a");
    world.pass(CrdWorld.RATE);
    world.release("10.0.0.1");
    world.pass(CrdWorld.RATE);
    assertThat(requireNonNull(world.used().get("10.0.0.1")).owner()).isEqualTo("cooling");
    world.take("10.0.0.1", "b");
    world.edit(node -> node.withPreAllocate(3));
    world.release("10.0.0.1");
    world.pass(CoolingRule.DEFAULT.pause().plus(CrdWorld.GRACE).plus(SECOND));
    assertThat(world.used()).isEmpty();
  }

  @Test
  @DisplayName("A46 A version that says nothing new is the base of the next write")
  void newVersion() {
    object(4);
    world.start();
    world.pass(CrdWorld.RATE);
    for (int i = 0; i < 5; i++) {
      world.server.touch(CrdWorld.NODE);
    }
    world.pass(SECOND);
    long before = world.writes();
    world.take("10.0.0.1", "a");
    world.pass(SECOND);
    assertThat(world.writes() - before).isEqualTo(1);
    assertThat(world.used()).containsOnlyKeys("10.0.0.1");
  }

  @Test
  @DisplayName("AI9 What is published has every address that was allocated before the write began")
  void superset() {
    object(20);
    world.start();
    world.faults =
        operation -> {
          if (operation == Operation.UPDATE_STATUS) {
            world.next("late");
          }
          return Optional.empty();
        };
    for (int i = 0; i < 5; i++) {
      long held = world.pool().held().size();
      world.pass(CrdWorld.RATE.plus(SECOND));
      assertThat(world.used().size()).isGreaterThanOrEqualTo((int) held);
      world.next("early");
    }
  }

  @Test
  @DisplayName("A lost answer is found out, and nothing is written twice for it")
  void lostAnswer() {
    object(4);
    world.start();
    world.pass(CrdWorld.RATE);
    world.take("10.0.0.1", "a");
    world.crash();
    world.start("10.0.0.1");
    world.pass(CrdWorld.RATE);
    assertThat(world.used()).containsOnlyKeys("10.0.0.1");
    long writes = world.writes();
    world.pass(CrdWorld.GRACE);
    assertThat(world.writes()).isEqualTo(writes);
  }

  @Test
  @DisplayName("A node without an object gets the one that its agent brings, also after a failure")
  void created() {
    NodeResource initial = NodeResource.named(CrdWorld.NODE).withInstanceId("i-1");
    world.initial = Optional.of(initial);
    world.faults =
        operation ->
            operation == Operation.CREATE
                ? Optional.of(new StoreResult.Failed("x"))
                : Optional.empty();
    world.start();
    world.pass(SECOND);
    assertThat(world.server.find(CrdWorld.NODE)).isEmpty();
    world.faults = operation -> Optional.empty();
    world.pass(CrdWorld.RATE);
    assertThat(world.now().instanceId()).contains("i-1");
    assertThat(world.requests.stream().filter(each -> each.startsWith("CREATE"))).hasSize(2);
  }

  @Test
  @DisplayName("After its end nothing is written any more")
  void closed() {
    object(4);
    world.start();
    world.pass(CrdWorld.RATE);
    long writes = world.writes();
    world.close();
    world.take("10.0.0.1", "a");
    world.edit(node -> node.withPreAllocate(3));
    world.pass(CrdWorld.GRACE);
    assertThat(world.writes()).isEqualTo(writes);
  }

  @Test
  @DisplayName("After its end it does not look again, also when a write was under way")
  void closedWhileWriting() {
    world.cooling = new CoolingRule(Duration.ofHours(1), Duration.ZERO);
    object(4);
    world.start("10.0.0.1");
    world.pass(CrdWorld.RATE);
    world.release("10.0.0.1");
    world.pass(Duration.ofMillis(1));
    world.close();
    world.pass(SECOND);
    assertThat(world.used()).as("the write that was under way").hasSize(1);
    assertThat(world.time.pending()).isZero();
  }

  @Test
  @DisplayName("After its end no object is created any more")
  void closedWhileCreating() {
    world.initial = Optional.of(NodeResource.named(CrdWorld.NODE));
    world.faults = operation -> Optional.of(new StoreResult.Failed("x"));
    world.start();
    world.close();
    int requests = world.requests.size();
    world.pass(Duration.ofMinutes(1));
    assertThat(world.requests).hasSize(requests);
  }
}
