package io.tidemark.cluster.run;

import io.tidemark.cluster.Backend;
import io.tidemark.config.ConfigSource;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The parts of a system.
 *
 * @param name of the system, for messages
 * @param backend where its objects are
 * @param settings all of them; a backend reads its own
 * @param random for identities, names and jitter
 * @param readOnly nothing is changed, and no other process is locked out
 * @param threads empty for threads of its own
 * @param cloudRequests requests to a cloud at a time, where the threads are its own
 * @param maker puts the work together
 */
public record SystemSetup<B extends Backend, W extends SystemWork>(
    String name,
    Backend.Opener<B> backend,
    ConfigSource settings,
    RandomGenerator random,
    boolean readOnly,
    Optional<RunThreads> threads,
    int cloudRequests,
    Maker<B, W> maker) {
  /** Puts the work of a system together. */
  @FunctionalInterface
  public interface Maker<B extends Backend, W extends SystemWork> {
    /**
     * Asks what must be known before; called when the turn has come.
     *
     * @param changed takes the name of each node that is new, gone or changed its state
     * @return makes the work, unless the system was stopped meanwhile
     */
    CompletionStage<Supplier<W>> prepare(B backend, RunThreads threads, Consumer<String> changed);
  }
}
