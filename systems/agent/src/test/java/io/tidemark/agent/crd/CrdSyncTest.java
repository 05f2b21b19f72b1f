package io.tidemark.agent.crd;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.IpAddress;
import io.tidemark.resource.InMemoryNodeResourceStore.Operation;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.StoreResult;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          A50 Nothing is written before all families are restored, then once \
            | bothFamilies; pool 1 2 3 4; begin; restore 1 a/b; take 2 c; finished IPV4; 60s; \
              writes = 0; finished IPV6; finished IPV6; finished IPV4; 60s; writes = 1; \
              used = 1:a/b@eni-1 2:c@eni-1
          A49 After three conflicts, a failure or a refusal the next interval tries again \
            | pool 1 2 3 4; start; 15s; writes; fault conflict; take 1 a; 1s; writes = 3; \
              used = none; fault none; 15s; used = 1:a@eni-1; release 1; 30s; used = none; \
              writes; fault failed; take 1 a; 1s; writes = 1; used = none; fault none; 15s; \
              used = 1:a@eni-1; release 1; 30s; used = none; writes; fault refused; take 1 a; \
              1s; writes = 1; used = none; fault none; 15s; used = 1:a@eni-1; release 1; 30s; \
              used = none
          A78 An address that cools again before its use was written leaves the object too \
            | cools 130s; pool 1; start; take 1 a; 15s; release 1; 15s; used = 1:cooling@eni-1; \
              take 1 b; changes; release 1; 161s; used = none
          A46 A version that says nothing new is the base of the next write \
            | pool 1 2 3 4; start; 15s; touch; touch; touch; touch; touch; 1s; writes; take 1 a; \
              1s; writes = 1; used = 1:a@eni-1
          A lost answer is found out, and nothing is written twice for it \
            | pool 1 2 3 4; start; 15s; take 1 a; crash; start 1; 15s; \
              used = 1:pod-10.0.0.1@eni-1; writes; 30s; writes = 0
          After its end nothing is written any more \
            | pool 1 2 3 4; start; 15s; writes; close; take 1 a; changes; 30s; writes = 0
          After its end it does not look again, also when a write was under way \
            | cools 60m; pool 1 2 3 4; start 1; 15s; release 1; 1ms; close; 1s; \
              used = 1:cooling@eni-1; timers = 0
          """)
  void story(String name, String story) {
    CrdStory.run(story);
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
