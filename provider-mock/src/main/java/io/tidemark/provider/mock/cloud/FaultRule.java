package io.tidemark.provider.mock.cloud;

import java.util.Objects;
import java.util.Optional;

/**
 * One line of a fault script.
 *
 * @param operation what it is about; empty for every operation
 * @param subject only requests of this instance or interface; empty for all
 * @param first number of the first matching request that fails, from 1
 * @param count how many matching requests fail in a row
 * @param probability share of those that fail, above 0 to 1
 */
public record FaultRule(
    Optional<CloudOperation> operation,
    String subject,
    long first,
    long count,
    double probability,
    Fault fault) {
  public FaultRule {
    Objects.requireNonNull(operation, "operation");
    Objects.requireNonNull(subject, "subject");
    Objects.requireNonNull(fault, "fault");
    if (first < 1 || count < 1) {
      throw new IllegalArgumentException(
          "first is " + first + " and count " + count + "; expected 1 or more");
    }
    if (!(probability > 0 && probability <= 1)) {
      throw new IllegalArgumentException(
          "probability is " + probability + "; expected above 0 up to 1");
    }
  }

  /** The {@code nth} request of an operation fails, counted from 1. */
  public static FaultRule nth(CloudOperation operation, long nth, Fault fault) {
    return new FaultRule(Optional.of(operation), "", nth, 1, 1, fault);
  }

  /** Every request of an operation fails. */
  public static FaultRule always(CloudOperation operation, Fault fault) {
    return new FaultRule(Optional.of(operation), "", 1, Long.MAX_VALUE, 1, fault);
  }

  /** A share of all requests of an operation fails. */
  public static FaultRule sometimes(CloudOperation operation, double probability, Fault fault) {
    return new FaultRule(Optional.of(operation), "", 1, Long.MAX_VALUE, probability, fault);
  }

  boolean concerns(CloudCall call) {
    return (operation.isEmpty() || operation.get() == call.operation())
        && (subject.isEmpty() || subject.equals(call.subject()));
  }
}
