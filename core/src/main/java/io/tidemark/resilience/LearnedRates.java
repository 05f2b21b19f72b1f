package io.tidemark.resilience;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The learned limits of the clouds, stored for the next leader. Immutable. */
public record LearnedRates(List<Estimate> estimates) {
  /** Nothing was learned yet: the documented limits apply. */
  public static final LearnedRates NONE = new LearnedRates(List.of());

  private static final int ESTIMATES_MAX = 1024;

  /**
   * The refill of one bucket.
   *
   * @param account account and region, as in {@link CallPolicy}
   * @param operation name of the {@link CallKind}
   * @param callsPerSecond above 0; limited to between 0.2 and four times the documented refill when
   *     used
   */
  public record Estimate(String account, String operation, double callsPerSecond) {}

  /**
   * As text: an estimate per line, account, operation and calls per second, separated by tabs.
   * Texts of other releases are read, too.
   */
  public String text() {
    StringBuilder text = new StringBuilder();
    for (Estimate each : estimates) {
      text.append(each.account()).append('\t').append(each.operation()).append('\t');
      text.append(each.callsPerSecond()).append('\n');
    }
    return text.toString();
  }

  /** Reads it; what cannot be read is left out: it is an estimate, learned again soon. */
  public static LearnedRates parse(String text) {
    List<Estimate> estimates = new ArrayList<>();
    text.lines().limit(ESTIMATES_MAX).forEach(line -> estimate(line).ifPresent(estimates::add));
    return new LearnedRates(estimates);
  }

  private static Optional<Estimate> estimate(String line) {
    List<String> parts = List.of(line.split("\t", -1));
    if (parts.size() != 3) {
      return Optional.empty();
    }
    try {
      double rate = Double.parseDouble(parts.get(2));
      return rate > 0 && Double.isFinite(rate)
          ? Optional.of(new Estimate(parts.get(0), parts.get(1), rate))
          : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** The learned rate of one bucket. */
  public Optional<Estimate> of(String account, String operation) {
    return estimates.stream()
        .filter(e -> e.account().equals(account) && e.operation().equals(operation))
        .findFirst();
  }
}
