package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import java.util.Map;
import java.util.TreeMap;

/** Which handshakes one decision gave up, and why (node-manager 4.6, 7). Pure. */
final class HandshakeAborts {
  /** The agent uses the address, or one of the same block. */
  static final String REFUSED = "refused";

  /** The node misses addresses now. */
  static final String NEEDED = "needed";

  /** It is no surplus any more, or another interface is to give back. */
  static final String NOT_SURPLUS = "not-surplus";

  private HandshakeAborts() {}

  /**
   * Number of addresses by reason.
   *
   * @param candidates what the plan would give back; empty when it gives back nothing
   * @param needed addresses that are missing
   */
  static Map<String, Integer> between(
      ReleaseHandshake before, ReleaseHandshake after, AddressSet candidates, int needed) {
    Map<String, Integer> aborts = new TreeMap<>();
    before
        .entries()
        .forEach(
            (address, entry) -> {
              boolean underWay =
                  switch (entry.phase()) {
                    case MARKED, READY, REFUSED -> true;
                    case CANDIDATE, RELEASED -> false;
                  };
              if (underWay && !after.entries().containsKey(address)) {
                boolean refused =
                    entry.phase() == ReleaseHandshake.Phase.REFUSED || candidates.contains(address);
                String otherwise = needed > 0 ? NEEDED : NOT_SURPLUS;
                aborts.merge(refused ? REFUSED : otherwise, 1, Integer::sum);
              }
            });
    return aborts;
  }
}
