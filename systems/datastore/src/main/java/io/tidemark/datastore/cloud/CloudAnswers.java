package io.tidemark.datastore.cloud;

import io.tidemark.time.Cancellable;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The answers of the cloud that wait for the loop, which handles one after the other. Thread-safe.
 */
final class CloudAnswers {
  private static final Logger LOG = LoggerFactory.getLogger(CloudAnswers.class);

  private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
  private final TaskScheduler scheduler;
  private final Runnable wake;

  CloudAnswers(TaskScheduler scheduler, Runnable wake) {
    this.scheduler = scheduler;
    this.wake = wake;
  }

  /**
   * Has the answer handled when it is there, or as {@link CloudAnswer.Unknown} when the limit is
   * over. What comes later is ignored: the next read shows it.
   */
  <T> void within(
      Duration limit, CompletionStage<CloudAnswer<T>> request, Consumer<CloudAnswer<T>> handler) {
    CompletableFuture<CloudAnswer<T>> first = new CompletableFuture<>();
    Cancellable late =
        scheduler.after(
            limit, () -> first.complete(new CloudAnswer.Unknown<>("no answer within " + limit)));
    request.whenComplete(
        (answer, thrown) -> {
          late.cancel();
          if (thrown == null) {
            first.complete(answer);
          } else {
            first.completeExceptionally(thrown);
          }
        });
    when(first, handler);
  }

  /** Has the answer handled when it is there; a stage that fails counts as a lost answer. */
  <T> void when(CompletionStage<CloudAnswer<T>> stage, Consumer<CloudAnswer<T>> handler) {
    stage.whenComplete(
        (answer, thrown) -> {
          if (thrown != null) {
            LOG.error("A request to the cloud failed because of a defect", thrown);
          }
          CloudAnswer<T> known =
              thrown == null ? answer : new CloudAnswer.Unknown<>("a defect: " + thrown);
          waiting.add(() -> handler.accept(known));
          wake.run();
        });
  }

  void handle() {
    for (Runnable next = waiting.poll(); next != null; next = waiting.poll()) {
      next.run();
    }
  }
}
