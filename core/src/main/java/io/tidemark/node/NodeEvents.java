package io.tidemark.node;

import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;

/**
 * Where a person is told what only a person can mend: quota, permissions, a wrong resource, an
 * exhausted subnet, a second owner. Called on the lanes of nodes and on the thread of the watch;
 * thread-safe; never blocks, never throws.
 *
 * <p>A matter stays open from {@link #report} to {@link #cleared}; in between it is not reported
 * again. Whoever shows it where things are forgotten, as a Kubernetes API forgets events, shows it
 * again by itself. The metric {@code nodes_stuck} counts the same matters.
 */
public interface NodeEvents {
  /** Nobody listens. */
  NodeEvents NONE =
      new NodeEvents() {
        @Override
        public void report(String node, Blocked why) {
          // nobody listens
        }

        @Override
        public void cleared(String node, BlockedReason reason) {
          // nobody listens
        }
      };

  /**
   * A node waits for a person.
   *
   * @param why what is wrong, its code and its remedy; only reasons of {@link #isForPerson}
   */
  void report(String node, Blocked why);

  /** What was reported under {@code reason} is mended, or the node is gone. */
  void cleared(String node, BlockedReason reason);

  /**
   * Whether a person must act on it. A missing instance id is not: agents write it while they
   * start.
   */
  static boolean isForPerson(BlockedReason reason) {
    return switch (reason.kind()) {
      case USAGE, CONFIGURATION, CAPACITY -> reason != BlockedReason.NO_INSTANCE_ID;
      case RETRYABLE, INTERNAL -> false;
    };
  }
}
