package io.tidemark.cluster;

import io.tidemark.cluster.lease.LeaderNotes;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigSource;
import io.tidemark.config.Option;
import io.tidemark.resilience.Fence;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.spi.OperatorNotices;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;

/**
 * A place of objects that systems work on: who may act on them, and what goes wrong there. Which
 * objects it has is said by {@link NodeBackend} and {@link ClusterNodeBackend}. Thread-safe; every
 * method has a default for a place that knows nothing of it.
 */
public interface Backend extends AutoCloseable {
  /** Objects that cannot be read now; never blocks. */
  default List<ResourceProblem> refused() {
    return List.of();
  }

  /** Where problems of the whole operator are reported; only in the log by default. */
  default OperatorNotices notices() {
    return OperatorNotices.NONE;
  }

  /** Whether this process may act, if several processes could; never blocks. */
  default Leading leading() {
    return Leading.ALONE;
  }

  /** Who holds the lease, as it was read last; empty when nobody does or it is not known. */
  default Optional<String> holder() {
    return Optional.empty();
  }

  /**
   * Name of the lease that decides who may act, also where leader election is off; empty where the
   * objects are in no cluster or are only read.
   */
  default Optional<String> lease() {
    return Optional.empty();
  }

  /**
   * Completes when the work may begin, which another leader can delay; at once by default. Until
   * then the backend only reads.
   */
  default CompletionStage<?> turn() {
    return CompletableFuture.completedStage("ours");
  }

  /** The state of the process that acted before this one, once {@link #turn} has completed. */
  default Former former() {
    return Former.NONE;
  }

  /** Why objects cannot be read or written now, a sentence each; never blocks. */
  default List<String> trouble() {
    return List.of();
  }

  /**
   * Which watches of objects give no sign of life, a sentence each, with the code and what to do;
   * they are part of {@link #trouble}. Never blocks.
   */
  default List<String> lateWatches() {
    return List.of();
  }

  /**
   * The time since the last sign of life of each watch of objects, by their kind in the plural;
   * empty where objects are not watched. Never blocks.
   */
  default Map<String, Duration> watchAges() {
    return Map.of();
  }

  /** The same requests to the store, limited to the rate that the backend accepts. */
  default EffectRunner paced(EffectRunner requests) {
    return requests;
  }

  /**
   * The identity of the cluster, which distinguishes clusters of the same name; empty if it is not
   * known. Can block for a request; called after {@link #turn} has completed.
   */
  default Optional<String> clusterUid() {
    return Optional.empty();
  }

  /** Checked before each change; open if no other process can act. */
  default Fence fence() {
    return Fence.OPEN;
  }

  /** Notes that leaders leave to each other; empty where there is no lease. */
  default Optional<LeaderNotes> leaderNotes() {
    return Optional.empty();
  }

  /** Completes, with the reason, when this process must not change anything any more. */
  default CompletionStage<String> lost() {
    return new CompletableFuture<>();
  }

  /** Writes pending changes now; completes when they are written, or after a timeout. */
  default CompletionStage<?> flush() {
    return CompletableFuture.completedStage("written");
  }

  /** Releases leadership, so that a standby does not wait; completes when it is released. */
  default CompletionStage<?> resign() {
    return CompletableFuture.completedStage("no standby");
  }

  /**
   * Writes pending changes and closes; can block on a file system. A second call does nothing.
   *
   * @return nodes whose last change was not written, or may not have been, as text
   */
  default List<String> shutDown() {
    close();
    return List.of();
  }

  /** Closes without waiting for requests; idempotent. */
  @Override
  void close();

  /** Which process may act on the objects of a backend. */
  enum Leading {
    /** There is no other process. */
    ALONE,
    /** This process, one of several. */
    LEADER,
    /** Another process; this one only watches. */
    STANDBY
  }

  /** How the process before this one ended, if there was one. */
  enum Former {
    /** Nobody else can have changes on their way: no request outlives a process here. */
    NONE,
    /** It gave up the lead after the last of its changes had a result. */
    ENDED,
    /** Nobody held the lease before; another program may have made changes. */
    UNKNOWN,
    /** It did not give up the lead: changes that it sent may still arrive. */
    LOST
  }

  /**
   * The environment of a backend.
   *
   * @param settings all settings; a backend reads its own
   * @param scheduler later tasks and both clocks
   * @param effects runs blocking requests
   * @param random for identities and jitter
   * @param readOnly nothing is changed, and no other process is locked out
   */
  record Environment(
      ConfigSource settings,
      TaskScheduler scheduler,
      EffectRunner effects,
      RandomGenerator random,
      boolean readOnly) {
    /** The same, in which nothing is changed. */
    public Environment asReadOnly() {
      return new Environment(settings, scheduler, effects, random, true);
    }
  }

  /**
   * Opens a backend.
   *
   * @param <B> what it has
   */
  @FunctionalInterface
  interface Opener<B extends Backend> {
    /**
     * Opens it; may block.
     *
     * @throws io.tidemark.error.IpamException when it cannot be read or another process works on it
     */
    B open(Environment environment);

    /** The backend's own settings; none by default. */
    default List<Option<?>> settings() {
      return List.of();
    }

    /** Adds the problems of the backend's own settings; sends no request. */
    default void check(ConfigSource settings, ConfigProblems problems) {
      // it has none
    }
  }
}
