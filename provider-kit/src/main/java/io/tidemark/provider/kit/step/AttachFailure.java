package io.tidemark.provider.kit.step;

import io.tidemark.spi.AllocationOutcome;
import java.time.Duration;
import java.util.Optional;

/**
 * The meaning of a failed attachment, which the provider reports to {@link InterfaceCreation}.
 *
 * @param pause of {@link Kind#LATER}
 * @param outcome of {@link Kind#UNDO} if it is not the failure's own, or of {@link Kind#ELSEWHERE}
 *     when the attempts are used up
 * @param attached of {@link Kind#ATTACHED}
 */
public record AttachFailure<I>(
    Kind kind, Duration pause, Optional<AllocationOutcome> outcome, Optional<I> attached) {
  /** The consequence. */
  public enum Kind {
    /** The interface does not exist any more, or another instance has it: the next is created. */
    GONE,
    /** It may have been attached: its state is read again. */
    UNCLEAR,
    /** The same request may succeed after a pause; no attempt is counted. */
    LATER,
    /** The next attempt uses another place of the instance. */
    ELSEWHERE,
    /** The interface is attached, as a read shows. */
    ATTACHED,
    /** Whether it is attached cannot be found out now. */
    UNKNOWN,
    /** It is not attached and will not be: it is deleted, and the outcome is this. */
    UNDO
  }

  public static <I> AttachFailure<I> of(Kind kind) {
    return new AttachFailure<>(kind, Duration.ZERO, Optional.empty(), Optional.empty());
  }

  public static <I> AttachFailure<I> of(Kind kind, AllocationOutcome outcome) {
    return new AttachFailure<>(kind, Duration.ZERO, Optional.of(outcome), Optional.empty());
  }

  public static <I> AttachFailure<I> later(Duration pause) {
    return new AttachFailure<>(Kind.LATER, pause, Optional.empty(), Optional.empty());
  }

  public static <I> AttachFailure<I> attached(I as) {
    return new AttachFailure<>(Kind.ATTACHED, Duration.ZERO, Optional.empty(), Optional.of(as));
  }
}
