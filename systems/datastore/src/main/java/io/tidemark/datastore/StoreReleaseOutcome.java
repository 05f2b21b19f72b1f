package io.tidemark.datastore;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How the release of what a sandbox has ended. */
public sealed interface StoreReleaseOutcome {
  /**
   * Its addresses are released, and that is durable.
   *
   * @param assignments what it had, one as a rule
   * @param interfacesCount how many interfaces the pod has
   */
  record Released(List<Assignment> assignments, int interfacesCount)
      implements StoreReleaseOutcome {}

  /**
   * It has no address here. Its caller answers with success: a DEL can be repeated.
   *
   * @param lost what it had by the file, though the node is not seen to have the address: rules of
   *     the host may still name it
   */
  record Unknown(Optional<Assignment> lost) implements StoreReleaseOutcome {
    /** The refusal that this is to those who ask for the text. */
    public StoreRefusal refusal() {
      return StoreRefusal.unknownPod();
    }
  }

  /** It keeps its addresses. */
  record Refused(StoreRefusal refusal) implements StoreReleaseOutcome {}

  /** The outcome of two releases of one sandbox: refused when either is. */
  static StoreReleaseOutcome both(StoreReleaseOutcome first, StoreReleaseOutcome second) {
    if (first instanceof Refused || second instanceof Refused) {
      return first instanceof Refused ? first : second;
    }
    if (first instanceof Released one && second instanceof Released two) {
      List<Assignment> all = new ArrayList<>(one.assignments());
      all.addAll(two.assignments());
      return new Released(all, Math.max(one.interfacesCount(), two.interfacesCount()));
    }
    boolean firstCounts =
        first instanceof Released
            || (first instanceof Unknown unknown
                && unknown.lost().isPresent()
                && !(second instanceof Released));
    return firstCounts ? first : second;
  }
}
