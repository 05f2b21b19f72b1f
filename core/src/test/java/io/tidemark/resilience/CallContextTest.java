package io.tidemark.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.resilience.Priority.Rank;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The context of a call: what each copy keeps")
class CallContextTest {
  private final Cancellation cancellation = new Cancellation();
  private final CallContext context =
      CallContext.of("n1", new Priority(Rank.PODS_WAITING, 0.5), 1_000, cancellation);
  private int returned;

  private final CallToken token =
      new CallToken() {
        @Override
        public CallKind kind() {
          return Door.ASSIGN;
        }

        @Override
        public boolean take() {
          return true;
        }

        @Override
        public void giveBack() {
          returned++;
        }
      };

  @Test
  @DisplayName("an earlier end counts, a later one does not, and the token stays")
  void until() {
    CallContext admitted = context.withToken(token);
    assertThat(admitted.token()).contains(token);
    assertThat(admitted.until(999).deadlineNanos()).isEqualTo(999);
    assertThat(admitted.until(999).token()).contains(token);
    assertThat(admitted.until(999).node()).isEqualTo("n1");
    assertThat(admitted.until(1_000).deadlineNanos()).isEqualTo(1_000);
    assertThat(admitted.until(1_001).deadlineNanos()).isEqualTo(1_000);
    admitted.until(999).giveBackToken();
    assertThat(returned).isEqualTo(1);
  }

  @Test
  @DisplayName("what finishes half-done work goes on after a cancellation, for its grace")
  void compensating() {
    CallContext repair = context.withToken(token).compensating();
    cancellation.cancel();
    assertThat(context.isCancelled()).isTrue();
    assertThat(repair.isCancelled()).isFalse();
    assertThat(repair.node()).isEqualTo("n1");
    assertThat(repair.priority()).isEqualTo(Priority.of(Rank.REPAIR));
    assertThat(repair.deadlineNanos()).isEqualTo(1_000 + CallContext.COMPENSATION_GRACE.toNanos());
    assertThat(repair.token()).isEmpty();
    repair.giveBackToken();
    assertThat(returned).isZero();
  }
}
