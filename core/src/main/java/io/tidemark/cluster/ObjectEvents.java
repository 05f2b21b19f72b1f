package io.tidemark.cluster;

import io.tidemark.error.ErrorCode;
import java.util.Map;

/**
 * Reports problems that need human action, on the objects of one kind: quota, permissions, an
 * invalid resource, an exhausted subnet, a second owner. Called on the lanes of nodes and on the
 * thread of the watch; thread-safe; never blocks, never throws.
 *
 * <p>A problem is open from {@link #report} until {@link #cleared} and is reported once in between.
 * An implementation on a medium that expires entries, as the Kubernetes API does with Events,
 * repeats it.
 */
public interface ObjectEvents {
  /** Reports nothing. */
  ObjectEvents NONE =
      new ObjectEvents() {
        @Override
        public void report(String object, ErrorCode code, String detail) {
          // reports nothing
        }

        @Override
        public void cleared(String object, ErrorCode code) {
          // reports nothing
        }
      };

  /**
   * An object has a problem that needs human action.
   *
   * @param object the name of the object, such as of the CiliumNode
   * @param code the problem and its remedy
   * @param detail what was found, without a full stop
   */
  void report(String object, ErrorCode code, String detail);

  /** The problem reported under {@code code} is solved, or the object is gone. */
  void cleared(String object, ErrorCode code);

  /**
   * All problems of an object as they are now, after each look at it, unless it is being written.
   * By default nothing is done: {@link #report} and {@link #cleared} say what changes.
   *
   * @param open what was found, by the problem; empty when nothing is wrong
   */
  default void found(String object, Map<? extends ErrorCode, String> open) {
    // the changes are enough
  }
}
