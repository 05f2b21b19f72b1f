package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.spi.ReleaseAction;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * One step of the handshake for a planned release (node-manager 4.5). Pure.
 *
 * @param handshake the next state
 * @param releasable what may go to the cloud now: acknowledged, unused, blocks only whole (D-7)
 */
record ReleaseStep(ReleaseHandshake handshake, Optional<ReleaseAction> releasable) {

  /** The agent uses the address, or one of the same block. */
  static final String REFUSED = "refused";

  /** The node misses addresses now. */
  static final String NEEDED = "needed";

  /** It is no surplus any more, or another interface is to give back. */
  static final String NOT_SURPLUS = "not-surplus";

  /**
   * The step that follows from the current object.
   *
   * @param inObject addresses that have an entry in the object
   * @param used addresses in use, as the newest object says
   */
  static ReleaseStep of(
      ReleaseHandshake before,
      ReleaseAction candidates,
      Set<IpAddress> inObject,
      AddressSet used,
      long now,
      long delay) {
    AddressSet refused = before.refused();
    ReleaseHandshake handshake = before;
    if (!refused.isEmpty()) {
      for (Cidr block : candidates.blocks()) {
        if (refused.containsAny(block)) {
          handshake = handshake.without(AddressSet.ofRange(block));
        }
      }
    }
    ReleaseHandshake after = handshake.candidates(candidates.allAddresses(), inObject, now, delay);
    AddressSet ready = after.ready().minus(used);
    if (ready.isEmpty()) {
      return new ReleaseStep(after, Optional.empty());
    }
    List<Cidr> blocks =
        candidates.blocks().stream()
            .filter(block -> ready.countIn(block) == block.sizeSaturated())
            .toList();
    ReleaseAction releasable = candidates.only(candidates.addresses().intersect(ready), blocks);
    return new ReleaseStep(
        after, releasable.isEmpty() ? Optional.empty() : Optional.of(releasable));
  }

  /** Nothing is surplus: every handshake but the finished ones is given up (4.6). */
  static ReleaseHandshake abort(ReleaseHandshake before) {
    return before.candidates(AddressSet.of(), Set.of(), 0, 0);
  }

  /**
   * Number of addresses whose handshake one decision gave up, by reason (node-manager 4.6, 7).
   *
   * @param candidates what the plan would give back; empty when it gives back nothing
   * @param needed addresses that are missing
   */
  static Map<String, Integer> abortsBetween(
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
                    entry.phase() == HandshakeEntry.Phase.REFUSED || candidates.contains(address);
                String otherwise = needed > 0 ? NEEDED : NOT_SURPLUS;
                aborts.merge(refused ? REFUSED : otherwise, 1, Integer::sum);
              }
            });
    return aborts;
  }
}
