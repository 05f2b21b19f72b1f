package io.tidemark.simulation;

import io.tidemark.simulation.CrashPoint.Moment;
import io.tidemark.simulation.store.Sight;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Rare faults, each case in turn instead of drawn (reliability.md, last section). For the tests of
 * every provider.
 */
public record Patterns(String label, Supplier<ClusterSimulation> story) {
  /** The patterns. */
  public enum Kind {
    /** Each event of the watch is hidden in turn, until the next one of the same object. */
    UNOBSERVED,
    /** After each write another operator begins with an older view than the last one had. */
    STALE,
    /** Each write arrives after its operator died and another one began. */
    LATE_WRITES,
    /** Two operators and a lease: each write of store and lease is hit. */
    INTERMEDIATE
  }

  /** Writes of an operator to the store. */
  private static final List<String> WRITES = List.of("updateStatus", "update");

  private static final String LEASE_WRITE = "lease write";

  /** How an operator is followed: started again, or by one that stood by and waited its lease. */
  private static final SortedMap<String, Succession> SUCCESSIONS =
      new TreeMap<>(Map.of("restarted", Succession.RESTART, "taken over", Succession.TAKE_OVER));

  private static final Duration CATCHES_UP = Duration.ofSeconds(5);

  /** The first events of a successor's watch. */
  private static final SortedMap<String, Sight> OLD_VIEWS =
      new TreeMap<>(
          Map.of(
              "older by one write",
              Sight.olderByWrites(1, CATCHES_UP),
              "older by a minute",
              Sight.olderBy(Duration.ofMinutes(1), CATCHES_UP)));

  /** When a predecessor's last write arrives, after its successor began. */
  private static final List<Duration> LATE =
      List.of(Duration.ofMillis(20), Duration.ofMillis(500), Duration.ofSeconds(5));

  /**
   * The cost of catching up, and the possible difference between two runs; a second owner costs
   * more.
   */
  private static final Duration SLACK = Duration.ofSeconds(15);

  /**
   * One case.
   *
   * @param name for people, and to run it again
   * @param simulation may be run once
   * @param further what must hold beside the invariants: what does not, empty text for nothing
   */
  record Case(
      String name,
      ClusterSimulation simulation,
      Function<ClusterSimulation.Watched, String> further) {}

  /** The result of a case. */
  record Result(Duration lack, List<String> broken) {}

  /**
   * The result of one pattern.
   *
   * @param lack how long at most a node lacked what the cloud would have given
   * @param broken what did not hold, each with its case
   */
  public record Outcome(String pattern, int cases, Duration lack, List<String> broken) {
    public Outcome {
      broken = List.copyOf(broken);
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%s: %d cases, %d broken, longest lack %.0f s",
          pattern,
          cases,
          broken.size(),
          lack.toMillis() / 1e3);
    }
  }

  /**
   * Runs a pattern.
   *
   * @param replayed the case to run alone, event by event, as an outcome names it; empty for all
   */
  public Outcome run(Kind kind, String replayed) {
    String pattern = label + " " + kind;
    int run = 0;
    Duration lack = Duration.ZERO;
    List<String> broken = new ArrayList<>();
    for (Case each : cases(kind)) {
      String name = pattern + " " + each.name();
      if (replayed.equals(name)) {
        each.simulation().traced(System.out::println);
      }
      if (replayed.isEmpty() || replayed.equals(name)) {
        Result result = result(each);
        run++;
        lack = result.lack().compareTo(lack) > 0 ? result.lack() : lack;
        result.broken().forEach(what -> broken.add(name + ": " + what));
      }
    }
    return new Outcome(pattern, run, lack, broken);
  }

  /** Runs one case. */
  static Result result(Case one) {
    ClusterSimulation.Watched watched = one.simulation().runWatched();
    List<String> broken = new ArrayList<>();
    watched.report().violations().forEach(each -> broken.add(each.toString()));
    String further = one.further().apply(watched);
    if (!further.isEmpty()) {
      broken.add(further);
    }
    return new Result(watched.lack(), broken);
  }

  /** All cases of a pattern, none of them run yet. */
  List<Case> cases(Kind kind) {
    return switch (kind) {
      case UNOBSERVED -> unobserved();
      case STALE -> stale();
      case LATE_WRITES -> lateWrites();
      case INTERMEDIATE -> intermediate();
    };
  }

  private List<Case> unobserved() {
    Duration quiet = story.get().scenario().duration();
    ClusterSimulation.Watched calm =
        story.get().firstSees(Sight.hiding(Integer.MAX_VALUE, quiet)).runWatched();
    List<Case> cases = new ArrayList<>();
    for (int event = 1; event <= calm.events(); event++) {
      cases.add(
          new Case(
              "event " + event,
              story.get().firstSees(Sight.hiding(event, quiet)),
              run ->
                  run.end().equals(calm.end())
                      ? ""
                      : "E1 ends with " + run.end() + " instead of " + calm.end()));
    }
    return cases;
  }

  private List<Case> stale() {
    List<Case> cases = new ArrayList<>();
    for (CrashPoint point : points(WRITES, List.of(Moment.AFTER), story)) {
      SUCCESSIONS.forEach(
          (how, succession) -> {
            Duration[] ordinary = new Duration[1];
            cases.add(
                new Case(
                    point + ", " + how,
                    followed(point, succession),
                    run -> {
                      ordinary[0] = run.lack();
                      return "";
                    }));
            OLD_VIEWS.forEach(
                (view, sight) ->
                    cases.add(
                        new Case(
                            point + ", " + how + " on a view " + view,
                            followed(point, succession.seeing(sight)),
                            run -> later(run.lack(), ordinary[0]))));
          });
    }
    return cases;
  }

  private static String later(Duration lack, @Nullable Duration ordinary) {
    return ordinary == null || lack.compareTo(ordinary.plus(SLACK)) <= 0
        ? ""
        : "L1 lacked for " + lack + ", after an ordinary start " + ordinary;
  }

  private List<Case> lateWrites() {
    List<Case> cases = new ArrayList<>();
    for (CrashPoint point : points(WRITES, List.of(Moment.LATE), story)) {
      for (Duration late : LATE) {
        cases.add(
            new Case(
                point + ", " + late.toMillis() + " ms late",
                followed(point, Succession.TAKE_OVER.with(late)),
                run -> ""));
      }
    }
    return cases;
  }

  private ClusterSimulation followed(CrashPoint point, Succession succession) {
    return story.get().hitting(point).succeededBy(succession);
  }

  private List<Case> intermediate() {
    Supplier<ClusterSimulation> elected = () -> story.get().electing(2);
    List<String> writes = new ArrayList<>(WRITES);
    writes.add(LEASE_WRITE);
    List<Case> cases = new ArrayList<>();
    for (CrashPoint point : points(writes, CrashPoint.AROUND_EFFECT, elected)) {
      cases.add(new Case(point.toString(), elected.get().hitting(point), run -> ""));
    }
    return cases;
  }

  private static List<CrashPoint> points(
      List<String> operations, List<Moment> moments, Supplier<ClusterSimulation> story) {
    SortedMap<String, Integer> asked = story.get().runWatched().crashes().occurrences();
    List<CrashPoint> points = new ArrayList<>();
    for (String operation : operations) {
      for (int occurrence = 1; occurrence <= asked.getOrDefault(operation, 0); occurrence++) {
        for (Moment moment : moments) {
          points.add(new CrashPoint(operation, occurrence, moment));
        }
      }
    }
    return points;
  }
}
