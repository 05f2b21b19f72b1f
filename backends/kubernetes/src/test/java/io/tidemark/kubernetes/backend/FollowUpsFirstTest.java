package io.tidemark.kubernetes.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.time.Effect;
import io.tidemark.time.EffectFate;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The request that follows another of its node goes before those of nodes not begun")
class FollowUpsFirstTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final VirtualTime time = new VirtualTime(0);
  private final EffectRunner wire =
      time.effects((site, at) -> EffectFate.answered(Duration.ZERO, Duration.ofMillis(10)));
  private final List<String> begun = new ArrayList<>();

  private Effect<String> send(EffectRunner line, String operation, String node) {
    return line.run(
        new EffectSite(operation, node),
        TIMEOUT,
        () -> {
          begun.add(operation + ' ' + node);
          return "done";
        });
  }

  /** Sends operations of a node, each when the one before has ended. */
  private void sendAll(EffectRunner line, String node, List<String> operations) {
    if (!operations.isEmpty()) {
      send(line, operations.get(0), node)
          .stage()
          .thenRun(() -> sendAll(line, node, operations.subList(1, operations.size())));
    }
  }

  private void runToEnd() {
    time.runUntil(time.nanos() + Duration.ofMinutes(10).toNanos());
  }

  @Test
  @DisplayName("status, spec, status, spec; not all statuses and then all specs")
  void nodeByNode() {
    FollowUpsFirst line = new FollowUpsFirst(wire, 1);
    for (String node : new String[] {"a", "b", "c", "d"}) {
      sendAll(line, node, List.of("status", "spec"));
    }
    runToEnd();
    assertThat(begun).hasSize(8);
    for (String node : new String[] {"a", "b", "c", "d"}) {
      assertThat(begun.indexOf("spec " + node) - begun.indexOf("status " + node))
          .as("requests of others between the two of %s: %s", node, begun)
          .isBetween(1, 2);
    }
  }

  @Test
  @DisplayName("a follow-up has none: a node that never stops keeps nobody waiting")
  void fair() {
    FollowUpsFirst line = new FollowUpsFirst(wire, 1);
    String[] many = new String[50];
    Arrays.fill(many, "again");
    sendAll(line, "busy", List.of(many));
    for (int i = 0; i < 10; i++) {
      send(line, "status", "n" + i);
    }
    runToEnd();
    assertThat(begun).hasSize(60);
    assertThat(begun.indexOf("status n9")).as("%s", begun).isLessThan(2 * 10 + 2);
  }

  @Test
  @DisplayName("no more than that many at once are handed on, and all are answered in the end")
  void bound() {
    FollowUpsFirst line = new FollowUpsFirst(wire, 16);
    List<Long> begunMillis = new ArrayList<>();
    List<Effect<Boolean>> sent = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      EffectSite site = new EffectSite("status", "n" + i);
      sent.add(line.run(site, TIMEOUT, () -> begunMillis.add(time.nanos() / 1_000_000)));
    }
    runToEnd();
    for (int i = 0; i < begunMillis.size(); i++) {
      assertThat(begunMillis.get(i)).as("request %d of 10 ms", i).isEqualTo(i / 16 * 10L);
    }
    assertThat(sent).hasSize(1_000);
    assertThat(sent).allSatisfy(it -> assertThat(it.stage()).isCompletedWithValue(true));
  }

  @Test
  @DisplayName("one that is given up in the line is never sent, and its place is the next one's")
  void givenUp() {
    FollowUpsFirst line = new FollowUpsFirst(wire, 1);
    send(line, "status", "a");
    Effect<String> second = send(line, "status", "b");
    Effect<String> third = send(line, "status", "c");
    second.interrupt();
    runToEnd();
    assertThat(begun).containsExactly("status a", "status c");
    assertThat(second.started()).isFalse();
    assertThat(second.stage().toCompletableFuture()).isCancelled();
    assertThat(third.stage()).isCompletedWithValue("done");
  }

  @Test
  @DisplayName("a runner that is closed refuses ten thousand that wait, one after the other")
  void refused() {
    boolean[] closed = {false};
    EffectRunner ending =
        new EffectRunner() {
          @Override
          public <T> Effect<T> run(EffectSite site, Duration timeout, Callable<T> leaf) {
            return closed[0]
                ? WaitingEffect.refused(new RejectedExecutionException("closed"))
                : wire.run(site, timeout, leaf);
          }
        };
    FollowUpsFirst line = new FollowUpsFirst(ending, 1);
    List<Effect<String>> sent = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      sent.add(send(line, "status", "n" + i));
    }
    closed[0] = true;
    runToEnd();
    assertThat(begun).containsExactly("status n0");
    assertThat(sent.subList(1, sent.size()))
        .allSatisfy(it -> assertThat(it.stage().toCompletableFuture()).isCompletedExceptionally());
  }

  @Test
  @DisplayName("a runner that throws ends the request that it threw at, and no other")
  void thrown() {
    EffectRunner failing =
        new EffectRunner() {
          @Override
          public <T> Effect<T> run(EffectSite site, Duration timeout, Callable<T> leaf) {
            if (site.subject().equals("bad")) {
              throw new IllegalStateException("no scheduler");
            }
            return wire.run(site, timeout, leaf);
          }
        };
    FollowUpsFirst line = new FollowUpsFirst(failing, 1);
    Effect<String> bad = send(line, "status", "bad");
    Effect<String> good = send(line, "status", "good");
    runToEnd();
    assertThat(bad.stage().toCompletableFuture())
        .isCompletedExceptionally()
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withMessageContaining("no scheduler");
    assertThat(good.stage()).isCompletedWithValue("done");
  }
}
