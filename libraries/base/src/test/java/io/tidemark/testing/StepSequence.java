package io.tidemark.testing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Random steps, as data: those of a seed, or some of them.
 *
 * @param <W> what the steps are done to
 * @param chosen numbers of the steps that are done, from 0
 */
public record StepSequence<W>(Subject<W> subject, long seed, List<Integer> chosen) {
  public StepSequence {
    chosen = List.copyOf(chosen);
  }

  /** The subject of the steps, and the steps. Its text shows what was done. */
  public interface Subject<W> {
    Limits limits();

    /**
     * How much is done.
     *
     * @param option the system property that says how many seeds run, such as {@code
     *     tidemark.nodecidr.clusters}; those that end in {@code first} and {@code steps} choose one
     * @param length steps of a seed
     * @param tries sequences that are tried at most, to make a failing one short
     */
    record Limits(String option, int length, int tries) {}

    /** A new one. */
    W begin(long seed);

    /** One step. */
    Consumer<W> draw(Random random);

    /** The action after the last step. */
    default void end(W world) {}
  }

  /** Its first violation, after the last of its steps. */
  public record Failure<W>(StepSequence<W> sequence, W world, Throwable cause) {
    /** How it is run again, and what happened. */
    @Override
    public String toString() {
      String option = sequence.subject.limits().option();
      String prefix = "-D" + option.substring(0, option.lastIndexOf('.') + 1);
      return "-D"
          + option
          + "=1 "
          + prefix
          + "first="
          + sequence.seed
          + " "
          + prefix
          + "steps="
          + sequence.chosen.stream().map(String::valueOf).collect(Collectors.joining(","))
          + "\n"
          + world
          + "\n"
          + cause.getMessage();
    }

    /** One of as few steps as it takes; perhaps another one than the longer sequence has. */
    public Failure<W> shortest() {
      List<Integer> few =
          Shrinker.shortest(
              sequence.chosen,
              steps -> sequence.with(steps).run().failure().isPresent(),
              sequence.subject.limits().tries());
      return sequence.with(few).run().failure().orElse(this);
    }
  }

  /** How it went. */
  public record Run<W>(W world, Optional<Failure<W>> failure) {}

  /** All steps of a seed. */
  public static <W> StepSequence<W> of(Subject<W> subject, long seed) {
    return new StepSequence<>(
        subject, seed, IntStream.range(0, subject.limits().length()).boxed().toList());
  }

  /** Those steps of a seed whose numbers are in the text, with commas between them. */
  public static <W> StepSequence<W> parse(Subject<W> subject, long seed, String chosen) {
    return new StepSequence<>(
        subject,
        seed,
        Arrays.stream(chosen.split(","))
            .filter(each -> !each.isEmpty())
            .map(Integer::valueOf)
            .toList());
  }

  /**
   * The result of all steps of a seed, or of some of them.
   *
   * @param chosen numbers of steps with commas between them; {@code -} for all
   * @throws AssertionError with the shortest failure
   */
  public static <W> W passes(Subject<W> subject, long seed, String chosen) {
    Run<W> run = (chosen.equals("-") ? of(subject, seed) : parse(subject, seed, chosen)).run();
    run.failure()
        .map(Failure::shortest)
        .ifPresent(
            failure -> {
              throw new AssertionError(failure.toString(), failure.cause());
            });
    return run.world();
  }

  /** The failure of a seed by its message; empty text without one. */
  public static <W> String violation(Subject<W> subject, long seed) {
    return of(subject, seed)
        .run()
        .failure()
        .map(it -> String.valueOf(it.cause().getMessage()))
        .orElse("");
  }

  /** Does the steps. */
  public Run<W> run() {
    Random random = new Random(seed * 0x9E3779B97F4A7C15L);
    W world = subject.begin(random.nextLong());
    List<Consumer<W>> drawn = new ArrayList<>();
    for (int i = 0; i < subject.limits().length(); i++) {
      drawn.add(subject.draw(random));
    }
    int done = 0;
    try {
      while (done < chosen.size()) {
        drawn.get(chosen.get(done++)).accept(world);
      }
      subject.end(world);
      return new Run<>(world, Optional.empty());
    } catch (AssertionError | RuntimeException e) {
      return new Run<>(world, Optional.of(new Failure<>(with(chosen.subList(0, done)), world, e)));
    }
  }

  private StepSequence<W> with(List<Integer> steps) {
    return new StepSequence<>(subject, seed, steps);
  }
}
