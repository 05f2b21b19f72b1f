package io.tidemark.datastore.cloud;

import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
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
  private volatile Meters meters = Meters.none();

  /** A request, by the names that the AWS VPC CNI gives to its own steps. */
  enum Request {
    READ("nodeIPPoolReconcile", "reconcileFailedGetENIs"),
    CREATE("increaseDatastorePool", "increaseIPPoolAllocENI"),
    ASSIGN("increaseDatastorePool", "increaseIPPoolAllocIPAddressesFailed"),
    UNASSIGN("decreaseDatastorePool", "decreaseIPPool"),
    REMOVE("decreaseDatastorePool", "decreaseIPPoolFreeENIFailed");

    private final String step;
    private final String failure;

    Request(String step, String failure) {
      this.step = step;
      this.failure = failure;
    }
  }

  CloudAnswers(TaskScheduler scheduler, Runnable wake) {
    this.scheduler = scheduler;
    this.wake = wake;
  }

  /** Counts the requests that are under way and those that failed, from now on. */
  void measure(Meters with) {
    meters = with;
  }

  /**
   * Has the answer handled when it is there, or as {@link CloudAnswer.Unknown} when its time is
   * over. What comes later is ignored: the next read shows it.
   */
  <T> void within(
      Request kind, CompletionStage<CloudAnswer<T>> request, Consumer<CloudAnswer<T>> handler) {
    Duration limit = kind == Request.READ ? InterfaceCloud.READ_MAX : InterfaceCloud.CHANGE_MAX;
    CompletableFuture<CloudAnswer<T>> first = new CompletableFuture<>();
    Cancellable late =
        scheduler.after(
            limit, () -> first.complete(new CloudAnswer.Unknown<>("no answer within " + limit)));
    Meters measured = meters;
    measured.gauge(Metric.STORE_IN_PROGRESS, kind.step).add(1);
    request.whenComplete(
        (answer, thrown) -> {
          late.cancel();
          measured.gauge(Metric.STORE_IN_PROGRESS, kind.step).add(-1);
          if (!(answer instanceof CloudAnswer.Done)) {
            measured.gauge(Metric.STORE_ERRORS, kind.failure).add(1);
          }
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
