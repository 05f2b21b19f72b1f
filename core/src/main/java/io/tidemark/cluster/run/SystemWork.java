package io.tidemark.cluster.run;

import io.tidemark.resource.ResourceProblem;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The work of a system while it is its turn. Made when the turn has come; nothing moves before
 * {@link #start}. Thread-safe; started and ended by one thread.
 */
public interface SystemWork {
  /** Reads everything, then works; ends with whether the first reading worked. */
  CompletionStage<Boolean> start();

  /** Whether all possible work is done; the next step is somebody else's. */
  boolean isSettled();

  /** Why the work is not done now, a sentence each; empty when it is. */
  List<String> unready();

  /** Problems of readable objects that need human action. */
  default List<ResourceProblem> problems() {
    return List.of();
  }

  /** Problems of one object that cannot be read. */
  List<ResourceProblem> problemsOf(String name);

  /**
   * No new change begins; what is under way comes to its end and is written down. For the thread
   * that ends the system.
   *
   * @param end the time that is left
   * @param bound of the whole end, of which parts are kept for later steps
   * @return what is not known, and whether everything came to its end in time
   */
  StopReport drain(Countdown end, Duration bound) throws InterruptedException;

  /**
   * Whether the next leader may begin at once after such an end; else it waits for the lease to
   * expire, and knows that changes may still arrive.
   *
   * @param drained how {@link #drain} ended
   */
  default boolean mayResign(StopReport drained) {
    return true;
  }

  /** Ends without waiting for anything; tells the changes of which nothing is known. */
  List<String> close();
}
