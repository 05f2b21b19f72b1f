package io.tidemark.provider.kit.step;

import io.tidemark.spi.AllocationOutcome;
import java.time.Duration;

/** The meaning of a failed attachment, which the provider reports to {@link InterfaceCreation}. */
public sealed interface AttachFailure<I> {
  /** The interface does not exist any more, or another instance has it: the next is created. */
  record Gone<I>() implements AttachFailure<I> {}

  /** It may have been attached: its state is read again. */
  record Unclear<I>() implements AttachFailure<I> {}

  /** The same request may succeed after a pause; no attempt is counted. */
  record Later<I>(Duration pause) implements AttachFailure<I> {}

  /** The next attempt uses another place of the instance. */
  record Elsewhere<I>(AllocationOutcome whenUsedUp) implements AttachFailure<I> {}

  /** The interface is attached, as a read shows. */
  record Attached<I>(I as) implements AttachFailure<I> {}

  /** Whether it is attached cannot be found out now. */
  record Unknown<I>() implements AttachFailure<I> {}

  /** It is not attached and will not be: it is deleted, and this is the outcome. */
  record Undo<I>(AllocationOutcome outcome) implements AttachFailure<I> {}
}
