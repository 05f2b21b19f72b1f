package io.tidemark.demand;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The demand of a cluster's groups of nodes, and what its next addresses take. Thread-safe. */
public final class LearnedDemand {
  /** Further groups share one, with the nodes of which nothing is known. */
  private static final int GROUPS_MAX = 1_000;

  private final Map<String, GroupDemand> groups = new ConcurrentHashMap<>();
  private final LeadTimes leadTimes = new LeadTimes();

  /** The group of this name, which begins now if there was none. */
  public GroupDemand group(String name, long nowNanos) {
    boolean kept = groups.containsKey(name) || groups.size() < GROUPS_MAX;
    return groups.computeIfAbsent(kept ? name : "", added -> new GroupDemand(nowNanos));
  }

  /** The durations of the steps by which pools grow. */
  public LeadTimes leadTimes() {
    return leadTimes;
  }
}
