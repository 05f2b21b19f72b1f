package io.tidemark.resilience;

import static io.tidemark.resilience.Door.ASSIGN;
import static io.tidemark.resilience.Door.CREATE;
import static io.tidemark.resilience.Door.DESCRIBE;
import static io.tidemark.resilience.Door.answer;
import static io.tidemark.resilience.Door.failure;
import static io.tidemark.resilience.Door.pending;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.resilience.Failure.Kind;
import io.tidemark.resilience.Priority.Rank;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Admission: the plan is made when the token comes")
class AdmissionTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final CallLimits SLOW = new CallLimits(1, 1, Duration.ofSeconds(5), 1);
  private static final CloudCallsConfig FIXED =
      CloudCallsConfig.defaults().withPacing(CloudCallsConfig.Pacing.FIXED);

  private Door door = new Door(FIXED, 1, Map.of(ASSIGN, SLOW, CREATE, SLOW));

  private Admission admit(String node, Rank rank, CallKind... kinds) {
    return door.calls.admit(List.of(kinds), door.context(node, rank, HOUR));
  }

  /** Uses up the token that is there, so that the next one comes in a second. */
  private void drain(CallKind kind) {
    var call = door.call(kind, HOUR, attempt -> "drained");
    assertThat(answer(call)).isEqualTo("drained");
  }

  private static CallContext admitted(Admission admission) {
    return answer(admission.stage());
  }

  @Test
  @DisplayName("a free token is handed over in the caller's turn, and the call uses it")
  void free() {
    CallContext context = admitted(admit("a", Rank.BELOW_WATERMARK, ASSIGN));
    assertThat(context.token().orElseThrow().kind()).isEqualTo(ASSIGN);
    var call = door.calls.call(ASSIGN, context, attempt -> "assigned");
    assertThat(answer(call)).isEqualTo("assigned");
    assertThat(door.time.pending()).isZero();
    Admission next = admit("b", Rank.BELOW_WATERMARK, ASSIGN);
    assertThat(pending(next.stage())).isTrue();
    door.pass(SECOND);
    assertThat(admitted(next).node()).isEqualTo("b");
  }

  @Test
  @DisplayName("an unwanted token goes to the next waiter in the same turn")
  void giveBack() {
    drain(ASSIGN);
    List<String> order = new ArrayList<>();
    Admission first = admit("first", Rank.PODS_WAITING, ASSIGN);
    Admission second = admit("second", Rank.BELOW_WATERMARK, ASSIGN);
    first
        .stage()
        .thenAccept(
            result -> {
              order.add("first");
              result.match(
                  context -> {
                    context.giveBackToken();
                    return context;
                  },
                  failure -> failure);
            });
    second.stage().thenAccept(result -> order.add("second at " + door.time.nanos()));
    door.pass(SECOND);
    assertThat(order).containsExactly("first", "second at 1000000000");
    assertThat(admitted(second).token().orElseThrow().take()).isTrue();
  }

  @Test
  @DisplayName("a queue of ten thousand that all give back does not nest")
  void manyGiveBack() {
    drain(ASSIGN);
    int[] count = new int[1];
    for (int i = 0; i < 10_000; i++) {
      admit("n" + i, Rank.BELOW_WATERMARK, ASSIGN)
          .stage()
          .thenAccept(
              result -> {
                count[0]++;
                result.match(
                    context -> {
                      context.giveBackToken();
                      return context;
                    },
                    failure -> failure);
              });
    }
    assertThat(count[0]).isZero();
    door.pass(SECOND);
    assertThat(count[0]).isEqualTo(10_000);
  }

  @Test
  @DisplayName("who waits for several kinds takes the first token of any, and leaves all queues")
  void anyOf() {
    drain(ASSIGN);
    door.pass(Duration.ofMillis(500));
    drain(CREATE);
    Admission either = admit("either", Rank.BELOW_WATERMARK, CREATE, ASSIGN);
    door.pass(Duration.ofMillis(500));
    CallContext context = admitted(either);
    assertThat(context.token().orElseThrow().kind()).isEqualTo(ASSIGN);
    Admission next = admit("next", Rank.SWEEP, CREATE);
    door.pass(Duration.ofMillis(500));
    assertThat(admitted(next).node()).isEqualTo("next");
  }

  @Test
  @DisplayName("who asks again gives the old token back; who is cancelled or too late gets none")
  void askedAgain() {
    CallContext first = admitted(admit("a", Rank.BELOW_WATERMARK, ASSIGN));
    Admission again = door.calls.admit(List.of(ASSIGN), first);
    assertThat(admitted(again).token().orElseThrow().take()).isTrue();
    assertThat(first.token().orElseThrow().take()).as("it went back").isFalse();

    CallContext cancelled = door.context(HOUR);
    cancelled.cancellation().cancel();
    assertThat(failure(door.calls.admit(List.of(DESCRIBE), cancelled).stage()).kind())
        .isEqualTo(Kind.CANCELLED);
    CallContext late = door.context(Duration.ZERO);
    assertThat(failure(door.calls.admit(List.of(DESCRIBE), late).stage()).condition())
        .isEqualTo("deadlinePassed");
    assertThat(failure(door.calls.admit(List.of(), door.context(HOUR)).stage()).kind())
        .isEqualTo(Kind.CONFIGURATION);
  }

  @Test
  @DisplayName("a cancelled waiter leaves at once: nobody waits for it, no timer is left")
  void cancel() {
    drain(ASSIGN);
    Admission first = admit("first", Rank.PODS_WAITING, ASSIGN);
    Admission second = admit("second", Rank.SWEEP, ASSIGN);
    first.cancel();
    assertThat(failure(first.stage()).kind()).isEqualTo(Kind.CANCELLED);
    door.pass(SECOND);
    assertThat(admitted(second).node()).isEqualTo("second");
    Admission third = admit("third", Rank.SWEEP, ASSIGN);
    third.cancel();
    assertThat(door.time.pending()).isZero();
  }

  @Test
  @DisplayName("cancelling the context cancels the wait, and a granted token can be cancelled too")
  void cancelContext() {
    CallContext context = door.context("a", Rank.BELOW_WATERMARK, HOUR);
    drain(ASSIGN);
    Admission admission = door.calls.admit(List.of(ASSIGN), context);
    context.cancellation().cancel();
    assertThat(failure(admission.stage()).kind()).isEqualTo(Kind.CANCELLED);
    door.pass(SECOND);
    Admission granted = admit("b", Rank.BELOW_WATERMARK, ASSIGN);
    granted.cancel();
    assertThat(admitted(granted).token().orElseThrow().take()).isFalse();
    assertThat(admitted(admit("c", Rank.SWEEP, ASSIGN)).node()).isEqualTo("c");
  }

  @Test
  @DisplayName("an expired waiter frees its place at once")
  void expired() {
    drain(ASSIGN);
    CallContext soon = door.context("soon", Rank.PODS_WAITING, Duration.ofMillis(300));
    Admission first = door.calls.admit(List.of(ASSIGN), soon);
    Admission second = admit("second", Rank.SWEEP, ASSIGN);
    door.pass(Duration.ofMillis(300));
    assertThat(failure(first.stage()).kind()).isEqualTo(Kind.THROTTLED);
    door.pass(Duration.ofMillis(700));
    assertThat(admitted(second).node()).isEqualTo("second");
    assertThat(door.time.pending()).isZero();
  }

  @Test
  @DisplayName("a place in a full queue is free again at once when its waiter leaves")
  void bounded() {
    door = new Door(Door.fixed(50, 2, Door.RETRIES, Door.BREAKER), 1, Map.of(ASSIGN, SLOW));
    drain(ASSIGN);
    Admission first = admit("1", Rank.SWEEP, ASSIGN);
    CallContext soon = door.context("2", Rank.SWEEP, Duration.ofMillis(100));
    Admission second = door.calls.admit(List.of(ASSIGN), soon);
    assertThat(failure(admit("3", Rank.PODS_WAITING, ASSIGN).stage()).condition())
        .isEqualTo("queueFull");
    first.cancel();
    assertThat(pending(admit("4", Rank.SWEEP, ASSIGN).stage())).isTrue();
    assertThat(failure(admit("5", Rank.SWEEP, ASSIGN).stage()).condition()).isEqualTo("queueFull");
    door.pass(Duration.ofMillis(100));
    assertThat(failure(second.stage()).kind()).isEqualTo(Kind.THROTTLED);
    assertThat(pending(admit("6", Rank.SWEEP, ASSIGN).stage())).isTrue();
  }

  @Test
  @DisplayName("a new urgency moves the place; the time already waited still counts")
  void reprioritize() {
    drain(ASSIGN);
    Admission old = admit("old", Rank.BELOW_WATERMARK, ASSIGN);
    Admission young = admit("young", Rank.BELOW_WATERMARK, ASSIGN);
    Admission idle = admit("idle", Rank.SWEEP, ASSIGN);
    idle.reprioritize(Priority.of(Rank.PODS_WAITING));
    young.reprioritize(new Priority(Rank.BELOW_WATERMARK, 0.5));
    old.reprioritize(new Priority(Rank.BELOW_WATERMARK, 0.5));
    List<String> order = new ArrayList<>();
    for (Admission admission : List.of(old, young, idle)) {
      admission
          .stage()
          .thenAccept(
              result ->
                  result.match(
                      context -> {
                        order.add(context.node());
                        return door.calls.call(ASSIGN, context, attempt -> "used");
                      },
                      failure -> failure));
    }
    door.pass(Duration.ofSeconds(3));
    assertThat(order).containsExactly("idle", "old", "young");
  }

  @Test
  @DisplayName("a token of another kind stays with the context; one left unused goes back")
  void otherKind() {
    CallContext context = admitted(admit("a", Rank.BELOW_WATERMARK, ASSIGN));
    door.calls.call(DESCRIBE, context, attempt -> "described");
    var call = door.calls.call(ASSIGN, context.until(0), attempt -> "no");
    assertThat(failure(call).kind()).isEqualTo(Kind.TRANSIENT);
    assertThat(admitted(admit("b", Rank.BELOW_WATERMARK, ASSIGN)).node()).isEqualTo("b");
  }

  @Test
  @DisplayName("C4 what the work asks for after its token keeps the place in time of the admission")
  void keepsItsAge() {
    door = new Door(FIXED, 1, Map.of(CREATE, new CallLimits(0.1, 1, Duration.ofSeconds(5), 2)));
    CallContext early = admitted(admit("early", Rank.BELOW_WATERMARK, CREATE));
    Admission late = admit("late", Rank.BELOW_WATERMARK, CREATE);
    var call =
        door.calls.call(
            CREATE,
            early,
            attempt -> {
              if (attempt.number() == 1) {
                throw new Door.CloudError(Kind.TRANSIENT);
              }
              return attempt.number();
            });
    door.pass(Duration.ofSeconds(9));
    assertThat(pending(call)).as("its second attempt waits for a token of its own").isTrue();
    door.pass(Duration.ofSeconds(2));
    assertThat(answer(call)).as("its second attempt came before who asked later").isEqualTo(2);
    assertThat(late.stage().toCompletableFuture().isDone()).isFalse();
  }

  @Test
  @DisplayName("a token that was forgotten comes back by its deadline")
  void forgotten() {
    CallContext careless = door.context("careless", Rank.SWEEP, Duration.ofSeconds(20));
    CallContext held = answer(door.calls.admit(List.of(ASSIGN), careless).stage());
    Admission next = admit("next", Rank.SWEEP, ASSIGN);
    door.pass(Duration.ofSeconds(19));
    assertThat(pending(next.stage())).isTrue();
    door.pass(SECOND);
    assertThat(admitted(next).node()).isEqualTo("next");
    assertThat(held.token().orElseThrow().take()).isFalse();
  }
}
