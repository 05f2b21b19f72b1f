package io.tidemark.emulator.kit.pace;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * The fault rules in force and how often each was met. Not thread-safe.
 *
 * @param <R> the emulator's rule, which says what happens to a request that is hit
 */
public final class Faults<R extends Faults.Rule> {
  /** Which requests are hit. Immutable. */
  public interface Rule {
    /** Whether it is about requests of this name. */
    boolean isAbout(String name);

    /** 0 to 1 for each matching request. */
    double probability();

    /** Matching requests that pass before the rule begins. */
    int skip();

    /** Most requests that it hits. */
    int times();
  }

  private static final class Counted<R> {
    private final R rule;
    private int met;
    private int hit;

    Counted(R rule) {
      this.rule = rule;
    }
  }

  private final SplittableRandom random;
  private final List<Counted<R>> rules = new ArrayList<>();

  public Faults(SplittableRandom random) {
    this.random = random;
  }

  /** Puts these rules in the place of those before, with fresh counts. */
  public void set(List<R> changed) {
    rules.clear();
    changed.forEach(rule -> rules.add(new Counted<>(rule)));
  }

  /** Puts this rule behind the others, which keep their counts. */
  public void add(R rule) {
    rules.add(new Counted<>(rule));
  }

  public List<R> rules() {
    return rules.stream().map(counted -> counted.rule).toList();
  }

  /** The first rule that hits this request; empty when it passes unharmed. */
  public Optional<R> next(String action) {
    for (Counted<R> counted : rules) {
      if (counted.rule.isAbout(action) && hits(counted)) {
        return Optional.of(counted.rule);
      }
    }
    return Optional.empty();
  }

  private boolean hits(Counted<R> counted) {
    R rule = counted.rule;
    if (counted.met++ < rule.skip() || counted.hit >= rule.times()) {
      return false;
    }
    if (rule.probability() < 1 && random.nextDouble() >= rule.probability()) {
      return false;
    }
    counted.hit++;
    return true;
  }
}
