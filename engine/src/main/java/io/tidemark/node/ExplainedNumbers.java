package io.tidemark.node;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;

/** The numbers of node-manager section 2 with the sums that led to them, for people. Pure. */
final class ExplainedNumbers {
  private ExplainedNumbers() {}

  /** What the resource alone says, when the cloud's side is not known. */
  static Map<String, String> of(ResourceFacts facts) {
    Map<String, String> numbers = new LinkedHashMap<>();
    numbers.put("available", facts.poolSize() + " (as the object says)");
    numbers.put("used", Integer.toString(facts.usedCount()));
    numbers.put("pre-allocate", Integer.toString(facts.spec().preAllocate()));
    numbers.put("min-allocate", Integer.toString(facts.spec().minAllocate()));
    numbers.put("max-allocate", Integer.toString(facts.spec().maxAllocate()));
    numbers.put("max-above-watermark", Integer.toString(facts.spec().maxAboveWatermark()));
    return numbers;
  }

  static Map<String, String> of(NodeSnapshot now) {
    NodeStatistics statistics = now.statistics();
    Watermarks marks = now.watermarks();
    int pending = now.pendingPods().orElse(0);
    Map<String, String> numbers = new LinkedHashMap<>();
    numbers.put("available", Integer.toString(statistics.available()));
    numbers.put(
        "used", statistics.used() + (now.facts().multiPool() ? " (from the agent's demand)" : ""));
    numbers.put("free", Integer.toString(statistics.available() - statistics.used()));
    numbers.put("capacity", Integer.toString(statistics.capacity()));
    numbers.put(
        "pre-allocate",
        marks.preAllocate()
            + (now.facts().spec().preAllocate() == 0 ? " (default, none is written)" : "")
            + (now.closed() ? " (not kept: the node takes no new pods)" : ""));
    numbers.put("min-allocate", Integer.toString(marks.minAllocate()));
    numbers.put("ceiling", ceiling(now, marks.ceiling()));
    numbers.put("max-above-watermark", Integer.toString(marks.maxAboveWatermark()));
    numbers.put(
        "pending pods", now.pendingPods().isPresent() ? Integer.toString(pending) : "not counted");
    numbers.put("needed", needed(now));
    numbers.put("asks for", Integer.toString(now.wanted()));
    numbers.put("excess", Integer.toString(statistics.excess()));
    if (statistics.drain().interfaces() > 0) {
      numbers.put("draining", draining(statistics.drain()));
    }
    numbers.put(
        "interfaces",
        statistics.interfaces()
            + " attached, "
            + statistics.interfacesWithRoom()
            + " with room, "
            + emptySlots(statistics.emptySlots()));
    if (now.maxPods().isPresent()) {
      numbers.put("max-pods", Integer.toString(now.maxPods().getAsInt()));
      numbers.put("pods", PodCapacity.of(now).text());
    }
    numbers.put("prefix delegation", now.prefixDelegated() ? "yes" : "no");
    return numbers;
  }

  /** How many interfaces could follow; a negative count tells how many there are too many. */
  static String emptySlots(int slots) {
    return slots < 0 ? -slots + " above the limit" : slots + " empty slots";
  }

  private static String draining(Drain drain) {
    return drain.interfaces()
        + (drain.interfaces() == 1 ? " interface, " : " interfaces, ")
        + drain.idle()
        + " free addresses: "
        + drain.leaving()
        + " may leave now, "
        + drain.held()
        + " others must come first for the rest";
  }

  private static String ceiling(NodeSnapshot now, OptionalInt ceiling) {
    if (ceiling.isEmpty()) {
      return "none known";
    }
    return ceiling.getAsInt()
        + (now.facts().spec().maxAllocate() > 0 ? " (max-allocate)" : " (instance)");
  }

  private static String needed(NodeSnapshot now) {
    NodeStatistics statistics = now.statistics();
    Watermarks marks = now.watermarks();
    if (now.closed()) {
      return statistics.needed() + " for the start of its agent and pods that wait";
    }
    int free = statistics.available() - statistics.used();
    String sum = marks.preAllocate() + " - " + free;
    if (marks.minAllocate() > 0) {
      sum = "max(" + sum + ", " + marks.minAllocate() + " - " + statistics.available() + ")";
    }
    return statistics.needed() + " = " + sum + ", not below 0, not above the ceiling";
  }
}
