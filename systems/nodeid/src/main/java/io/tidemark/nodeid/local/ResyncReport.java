package io.tidemark.nodeid.local;

import io.tidemark.ip.IpAddress;
import java.util.List;

/**
 * The result of a resync.
 *
 * @param done false when the event needs none, and nothing changed
 * @param recorded pods whose address is known after it
 * @param conflicts pods whose listed address was not recorded
 */
public record ResyncReport(boolean done, int recorded, List<Conflict> conflicts) {
  /** An address that a pod is listed with and that it does not have here. */
  public record Conflict(PodId pod, IpAddress address, String reason) {
    @Override
    public String toString() {
      return "pod " + pod + " is listed with " + address + ", " + reason;
    }
  }

  /** Of a resync that was not needed. */
  static final ResyncReport NONE = new ResyncReport(false, 0, List.of());
}
