package io.tidemark.emulator.ec2.pace;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** The fault rules in force and how often each was met. Not thread-safe. */
public final class Faults {
  private static final class Counted {
    private final FaultRule rule;
    private int met;
    private int hit;

    Counted(FaultRule rule) {
      this.rule = rule;
    }
  }

  private final SplittableRandom random;
  private final List<Counted> rules = new ArrayList<>();

  public Faults(SplittableRandom random) {
    this.random = random;
  }

  /** Puts these rules in the place of those before, with fresh counts. */
  public void set(List<FaultRule> changed) {
    rules.clear();
    changed.forEach(rule -> rules.add(new Counted(rule)));
  }

  public List<FaultRule> rules() {
    return rules.stream().map(counted -> counted.rule).toList();
  }

  /** The first rule that hits this request; empty when it passes unharmed. */
  public Optional<FaultRule> next(String action) {
    for (Counted counted : rules) {
      if (counted.rule.isAbout(action) && hits(counted)) {
        return Optional.of(counted.rule);
      }
    }
    return Optional.empty();
  }

  private boolean hits(Counted counted) {
    FaultRule rule = counted.rule;
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
