package io.tidemark.resilience;

/**
 * Whether this process may still change the cloud. Asked on the thread that sends, immediately
 * before each change (reliability.md, two leaders); reads pass always. Thread-safe; never blocks.
 */
@FunctionalInterface
public interface Fence {
  /** Nobody else could be at work. */
  Fence OPEN = () -> true;

  /** Whether a change may be sent now. */
  boolean isOpen();
}
