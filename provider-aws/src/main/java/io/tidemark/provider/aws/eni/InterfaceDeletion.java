package io.tidemark.provider.aws.eni;

import io.tidemark.provider.aws.ec2.Ec2Condition;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.InterfaceId;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Deletes an interface that is being detached. Used once. */
final class InterfaceDeletion {
  /** EC2 detaches in its own time; the pause before each further delete is twice as long. */
  static final Duration PAUSE = Duration.ofSeconds(5);

  private static final int DELETES_MAX = 5;

  private final EniAccount account;
  private final InterfaceId id;
  private final CompletableFuture<CallResult<InterfaceId>> end = new CompletableFuture<>();

  InterfaceDeletion(EniAccount account, InterfaceId id) {
    this.account = account;
    this.id = id;
  }

  /**
   * Deletes it after a pause, and again while it is attached still; ends with the last answer, or
   * never once the account is shut down.
   *
   * @param context of one request
   */
  CompletionStage<CallResult<InterfaceId>> delete(Supplier<CallContext> context) {
    deleteAfter(PAUSE, 1, context);
    return end;
  }

  private void deleteAfter(Duration pause, int attempt, Supplier<CallContext> context) {
    account.scheduler.after(pause, () -> delete(pause, attempt, context));
  }

  private void delete(Duration pause, int attempt, Supplier<CallContext> context) {
    if (account.state.shutdown().isCancelled()) {
      return;
    }
    account
        .ec2
        .delete(id, context.get())
        .thenAccept(
            result -> {
              boolean again =
                  attempt < DELETES_MAX && result.refusal().filter(this::isAttached).isPresent();
              if (again) {
                deleteAfter(pause.multipliedBy(2), attempt + 1, context);
              } else {
                end.complete(result);
              }
            });
  }

  private boolean isAttached(Failure failure) {
    return Ec2Condition.ENI_IN_USE.is(failure);
  }
}
