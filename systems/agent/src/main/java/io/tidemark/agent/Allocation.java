package io.tidemark.agent;

/** How a request for one address ended. */
public sealed interface Allocation permits Allocation.Granted, Allocation.Denied {
  /** With this address. */
  record Granted(AllocationResult result) implements Allocation {}

  /** Without one; nothing changed. */
  record Denied(Denial denial) implements Allocation, PairAllocation {}
}
