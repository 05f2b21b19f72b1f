package io.tidemark.resilience;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The learned limits of the clouds, stored for the next leader. Immutable. */
public record LearnedRates(List<Estimate> estimates) {
  /** Nothing was learned yet: the documented limits apply. */
  public static final LearnedRates NONE = new LearnedRates(List.of());

  /**
   * The refill of one bucket.
   *
   * @param account account and region, as in {@link CallPolicy}
   * @param operation name of the {@link CallKind}
   * @param callsPerSecond above 0; limited to between 0.2 and four times the documented refill when
   *     used
   */
  public record Estimate(String account, String operation, double callsPerSecond) {
    public Estimate {
      Objects.requireNonNull(account, "account");
      Objects.requireNonNull(operation, "operation");
      if (!(callsPerSecond > 0)) {
        throw new IllegalArgumentException(
            "callsPerSecond of " + operation + " is " + callsPerSecond + "; expected above 0");
      }
    }
  }

  public LearnedRates {
    estimates = List.copyOf(estimates);
  }

  /** The learned rate of one bucket. */
  public Optional<Estimate> of(String account, String operation) {
    return estimates.stream()
        .filter(e -> e.account().equals(account) && e.operation().equals(operation))
        .findFirst();
  }
}
