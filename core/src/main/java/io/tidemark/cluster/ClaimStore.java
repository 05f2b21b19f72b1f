package io.tidemark.cluster;

import io.tidemark.resource.CatchUp;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.ObjectWatcher;
import java.util.List;
import java.util.Optional;

/**
 * Claims by name, in memory, in a directory or in the Kubernetes API: of any number of creations of
 * one name, by whatever processes, exactly one succeeds. Thread-safe.
 *
 * <p><b>Monotone reads.</b> A store instance never returns, from a read, a change or {@link
 * #latest}, or delivers to its watcher a version older than one it has returned or delivered
 * before.
 *
 * <p>{@link #list}, {@link #get}, {@link #create}, {@link #update} and {@link #delete} make one
 * blocking request each and run as leaves of an effect runner.
 */
public interface ClaimStore {
  /** The newest version that this instance knows; makes no request and never blocks. */
  Optional<Claim> latest(String name);

  /** Names of all claims that this instance knows; never blocks. */
  List<String> names();

  /**
   * Delivers every claim that is known, then {@code synced}, then changes in order; a claim may be
   * delivered again without a change. One watcher per instance. A claim that is made again under
   * its name may be delivered without a deletion before it.
   */
  Watch watch(ObjectWatcher<Claim> watcher);

  /** Reads all claims; {@link #latest} and {@link #names} then include all changes before this. */
  CatchUp list();

  /** Reads the claim from the backend, as it is when the request arrives there. */
  Reading get(String name);

  /**
   * Makes a claim that must not exist: stored, exists, or one of the endings that change nothing or
   * are unknown.
   *
   * @param holder the name of the node
   * @param holderUid of the incarnation of the node
   */
  ClaimChange create(String name, String holder, String holderUid);

  /**
   * Gives a claim that still has the version that was seen another holder; gone or a conflict when
   * there is none of that name.
   */
  ClaimChange update(Claim seen, String holder, String holderUid);

  /** Deletes a claim that has the uid and version that were seen; gone when there is none. */
  ClaimChange delete(Claim seen);

  /** How {@link #get} ended. */
  sealed interface Reading {
    /** The newest version known, which may be newer than the answer. */
    record Found(Claim claim) implements Reading {}

    /** There is no such claim. */
    record Absent() implements Reading {}

    /** The backend did not answer, or what it has cannot be read. */
    record Failed(String detail) implements Reading {}
  }
}
