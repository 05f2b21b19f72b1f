package io.tidemark.provider.kit.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.resilience.Admission;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Priority;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The door to a cloud behind its start")
class StartupGateTest {
  private static final CallKind READ = new CallKind("Describe", CallKind.Effect.READ);

  private static final Failure REFUSED =
      Failure.of(Failure.Kind.CONFIGURATION, "Unset", "no region");

  private final VirtualTime time = new VirtualTime(0);
  private final List<String> events = new ArrayList<>();
  private final List<CompletableFuture<CallResult<String>>> starts = new ArrayList<>();
  private final Startup<String> start =
      new Startup<>(
          () -> {
            starts.add(new CompletableFuture<>());
            return starts.get(starts.size() - 1);
          });
  private final StartupGate gate = new StartupGate(start, new Recorded(), time);
  private final Cancellation cancellation = new Cancellation();

  /** Answers each request with its name at once. */
  private final class Recorded implements CloudCalls {
    @Override
    public Admission admit(List<CallKind> anyOf, CallContext context) {
      events.add("admit");
      return Admission.refused(REFUSED);
    }

    @Override
    public <T> CompletionStage<CallResult<T>> call(
        CallKind kind, CallContext context, Leaf<T> leaf) {
      try {
        return CallResult.answered(leaf.send(new Attempt(1, Duration.ofSeconds(1), "")));
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }

  private void ask(String name) {
    CallContext context =
        CallContext.within(
            Duration.ofSeconds(10), time, "node", Priority.Rank.REPAIR, cancellation);
    gate.call(READ, context, attempt -> name)
        .thenAccept(
            result ->
                events.add(
                    result.match(answer -> answer, failure -> name + ": " + failure.detail())));
  }

  @Test
  @DisplayName("lets the first requests wait for one discovery, and then all through")
  void waits() {
    ask("first");
    ask("second");
    assertThat(events).isEmpty();
    assertThat(starts).hasSize(1);
    assertThat(start.isDone()).isFalse();
    assertThatThrownBy(start::known).isInstanceOf(IllegalStateException.class);
    starts.get(0).complete(new CallResult.Answered<>("eu"));
    assertThat(events).containsExactlyInAnyOrder("first", "second");
    assertThat(start.isDone()).isTrue();
    assertThat(start.known()).isEqualTo("eu");
    ask("third");
    assertThat(events).hasSize(3).endsWith("third");
    time.runUntil(Duration.ofMinutes(1).toNanos());
    assertThat(events).hasSize(3);
    assertThat(starts).hasSize(1);
  }

  @Test
  @DisplayName("fails those that waited when the discovery fails; the next begins another")
  void failed() {
    ask("first");
    ask("second");
    starts.get(0).complete(new CallResult.Failed<>(REFUSED));
    assertThat(events).containsExactlyInAnyOrder("first: no region", "second: no region");
    ask("third");
    assertThat(starts).hasSize(2);
    starts.get(1).complete(new CallResult.Answered<>("eu"));
    assertThat(events).hasSize(3).endsWith("third");
  }

  @Test
  @DisplayName("lets no request wait behind its deadline, and serves later ones")
  void deadline() {
    ask("first");
    time.runUntil(Duration.ofSeconds(10).toNanos() - 1);
    assertThat(events).isEmpty();
    time.runUntil(Duration.ofSeconds(10).toNanos());
    assertThat(events).containsExactly("first: still starting at the deadline");
    ask("second");
    assertThat(starts).hasSize(1);
    starts.get(0).complete(new CallResult.Answered<>("eu"));
    assertThat(events).hasSize(2).endsWith("second");
  }

  @Test
  @DisplayName("ends the wait of what is cancelled")
  void cancelled() {
    ask("first");
    cancellation.cancel();
    assertThat(events).containsExactly("first: cancelled");
    starts.get(0).complete(new CallResult.Answered<>("eu"));
    assertThat(events).hasSize(1);
  }

  @Test
  @DisplayName("asks for tokens of the cloud without waiting")
  void admits() {
    CallContext context =
        CallContext.within(Duration.ofSeconds(10), time, "", Priority.Rank.REPAIR, cancellation);
    gate.admit(List.of(READ), context);
    assertThat(events).containsExactly("admit");
    assertThat(starts).isEmpty();
  }
}
