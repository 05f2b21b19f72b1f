package io.tidemark.agent;

import java.util.Optional;

/** How a request for an address of each enabled family ended: with all of them or none. */
public sealed interface PairAllocation permits PairAllocation.Granted, Allocation.Denied {
  /** With these; a family that is disabled is empty. */
  record Granted(Optional<AllocationResult> ipv4, Optional<AllocationResult> ipv6)
      implements PairAllocation {}
}
