package io.tidemark.datastore;

import java.time.Duration;
import java.util.Optional;

/** How a request for an address ended. */
public sealed interface AssignOutcome {
  /**
   * With this address, which is durable.
   *
   * @param cutShortAfter how long ago it was released, when that is less than the cooldown
   */
  record Granted(Assignment assignment, Optional<Duration> cutShortAfter)
      implements AssignOutcome {}

  /** Without one, since none can be assigned now; a request for more addresses may help. */
  record NoAddress(Reason reason) implements AssignOutcome {

    /** The refusal that this is. */
    public StoreRefusal refusal() {
      return StoreRefusal.noAddress(reason);
    }
  }

  /** Without one; nothing changed. */
  record Refused(StoreRefusal refusal) implements AssignOutcome {}

  /** Why no address can be assigned. */
  enum Reason {
    EMPTY("the node has none"),
    WRONG_MODE("the node has only such of another kind"),
    EXCLUDED("all interfaces with addresses are excluded or about to be removed"),
    ALL_ASSIGNED("all are assigned"),
    ALL_COOLING("those that are not assigned were released not long ago");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    /** For people. */
    public String text() {
      return text;
    }
  }
}
