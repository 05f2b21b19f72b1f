package io.tidemark.emulator.ec2.model;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** The number of calls and refusals of each action, for the status page. Not thread-safe. */
public final class ActionCounts {
  /** Where calls are counted that name no action of the emulator. */
  public static final String UNKNOWN = "(unknown)";

  private static final class Counted {
    private long calls;
    private final SortedMap<String, Long> refusals = new TreeMap<>();
  }

  private final SortedMap<String, Counted> counted = new TreeMap<>();

  /**
   * The calls of one action.
   *
   * @param calls all calls
   * @param refusals refused calls, by error code
   */
  public record Count(long calls, SortedMap<String, Long> refusals) {
    public Count {
      refusals = Collections.unmodifiableSortedMap(new TreeMap<>(refusals));
    }
  }

  void count(String action, Reply.Result result) {
    Counted of = counted.computeIfAbsent(action, name -> new Counted());
    of.calls++;
    if (result instanceof Reply.Refused refused) {
      of.refusals.merge(refused.error().code(), 1L, Long::sum);
    }
  }

  /** The counts so far, by action. */
  public SortedMap<String, Count> byAction() {
    SortedMap<String, Count> counts = new TreeMap<>();
    counted.forEach((action, of) -> counts.put(action, new Count(of.calls, of.refusals)));
    return counts;
  }
}
