package io.tidemark.node;

/** Whether an event asks for a pass (node-manager 3.5). Pure. */
final class PassNeed {
  private PassNeed() {}

  static boolean of(NodeSnapshot now, ReleaseHandshake handshake, boolean givingBackCidrs) {
    NodeStatistics statistics = now.statistics();
    ResourceFacts facts = now.facts();
    boolean allocation =
        statistics.needed() > 0
            || statistics.drain().replacing() > 0
            || facts.ipv6PrefixesNeeded(now.inventory().statistics().ipv6Prefixes()) > 0
            || (facts.staticAddressNeeded()
                && now.inventory().statistics().staticAddress().isEmpty());
    // In the reference's profile an acknowledgement waits for the scan (D-21).
    boolean release =
        !now.config().referenceCompatible()
            && ((now.config().release().enabled() && statistics.excess() > 0)
                || !handshake.isEmpty()
                || givingBackCidrs);
    return allocation || release;
  }
}
