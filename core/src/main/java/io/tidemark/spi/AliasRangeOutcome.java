package io.tidemark.spi;

import io.tidemark.resilience.Failure;
import java.util.Objects;

/** Every expected result of an attempt to assign a range to an instance. */
public sealed interface AliasRangeOutcome {
  /** The instance has the range now. */
  record Added() implements AliasRangeOutcome {}

  /** Nothing changed: the instance has exactly this range already. */
  record AlreadyOurs() implements AliasRangeOutcome {}

  /**
   * Nothing changed: addresses of the range belong to something else.
   *
   * @param detail who has them, as far as the cloud says, without a full stop
   */
  record Taken(String detail) implements AliasRangeOutcome {
    public Taken {
      Objects.requireNonNull(detail, "detail");
    }
  }

  /** Nothing changed; {@link Failure#kind()} determines the reaction. */
  record Refused(Failure failure) implements AliasRangeOutcome {
    public Refused {
      Objects.requireNonNull(failure, "failure");
    }
  }

  /** The response was lost, and a read does not show the range yet. */
  record Unknown(Failure failure) implements AliasRangeOutcome {
    public Unknown {
      Objects.requireNonNull(failure, "failure");
    }
  }
}
