package io.tidemark.provider.aws.eni;

import io.tidemark.spi.InstanceId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * Which instances a full read reads (M4): all of them while that takes few pages; else those whose
 * last read is oldest, so many that a page goes out every eight seconds on average, and each
 * instance once in the time that all of them take so. Pure.
 *
 * @param shards instances of one request each; empty for one listing of everything
 */
record SweepPlan(List<List<InstanceId>> shards) {
  static final int PAGE = 1_000;

  /** Pages that are read at once; at eight seconds each they fill a minute. */
  static final int PAGES_AT_ONCE = 7;

  /** How long one page is to last. */
  static final Duration PER_PAGE = Duration.ofSeconds(8);

  private static final int INSTANCES_PER_REQUEST = 200;

  /**
   * An instance that could be read.
   *
   * @param interfaces how many it had last
   * @param readNanos when its last read began
   */
  record Candidate(InstanceId id, int interfaces, long readNanos) {}

  boolean whole() {
    return shards.isEmpty();
  }

  /**
   * The plan of one full read.
   *
   * @param listed interfaces that the last listing of everything had; 0 when there was none
   * @param since time since the full read before
   */
  static SweepPlan of(List<Candidate> all, int listed, Duration since, long nowNanos) {
    long held = all.stream().mapToLong(Candidate::interfaces).sum();
    if (pages(Math.max(held, listed)) <= PAGES_AT_ONCE) {
      return new SweepPlan(List.of());
    }
    long roundNanos = PER_PAGE.multipliedBy(pages(held)).toNanos();
    long budget = Math.max(1, since.toNanos() / PER_PAGE.toNanos()) * PAGE;
    List<Candidate> oldest = new ArrayList<>(all);
    oldest.sort(
        Comparator.comparingLong((Candidate each) -> each.readNanos() - nowNanos)
            .thenComparing(Candidate::id));
    List<InstanceId> due = new ArrayList<>();
    for (Candidate each : oldest) {
      boolean first = due.isEmpty();
      if (!first && (budget <= 0 || nowNanos - each.readNanos() < roundNanos)) {
        break;
      }
      due.add(each.id());
      budget -= Math.max(1, each.interfaces());
    }
    List<List<InstanceId>> shards = new ArrayList<>();
    for (int i = 0; i < due.size(); i += INSTANCES_PER_REQUEST) {
      shards.add(
          List.copyOf(
              new TreeSet<>(due.subList(i, Math.min(due.size(), i + INSTANCES_PER_REQUEST)))));
    }
    return new SweepPlan(shards);
  }

  private static long pages(long interfaces) {
    return (interfaces + PAGE - 1) / PAGE;
  }
}
