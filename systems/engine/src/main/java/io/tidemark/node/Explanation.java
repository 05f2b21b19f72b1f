package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.node.NodeStatistics.PodCapacity;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Explains the state of a node (node-manager 13 D-19): the numbers of section 2, the current plan,
 * what blocks it, and what you can do. An immutable value; {@link #toText} formats it for a
 * terminal.
 *
 * @param numbers name to value, in reading order: the watermarks and what they yield
 * @param handshakes number of addresses by phase of the release handshake
 * @param plan what the next pass would do
 * @param blocked why it cannot be done
 * @param advice what you can do; empty text when there is nothing
 */
public record Explanation(
    String node,
    NodeState state,
    Map<String, String> numbers,
    Map<String, Integer> handshakes,
    String plan,
    Optional<Blocked> blocked,
    String advice) {
  /** A shorter wait is not reported. */
  private static final Duration LONG_WAIT = Duration.ofSeconds(5);

  private static final String UNREAD =
      "Wait: the operator reads nodes and cloud; see /readyz if that takes long.";

  private static final String UNWRITTEN =
      "Wait: the operator writes the addresses into the object; see /readyz if that takes long.";

  public Explanation {
    numbers = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(numbers));
    handshakes = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(handshakes));
  }

  static Explanation of(
      String node,
      NodeState state,
      Optional<NodeSnapshot> snapshot,
      Optional<MaintenancePlan> plan,
      Optional<Blocked> blocked,
      ReleaseHandshake handshake,
      ResourceFacts facts,
      AddressSet missed,
      Optional<String> untaken,
      OptionalLong waitedNanos) {
    Map<String, Integer> handshakes = new LinkedHashMap<>();
    for (HandshakeEntry.Phase phase : HandshakeEntry.Phase.values()) {
      int count = handshake.inPhase(phase).size();
      if (count > 0) {
        handshakes.put(phase.name().toLowerCase(java.util.Locale.ROOT), count);
      }
    }
    Map<String, String> numbers =
        new LinkedHashMap<>(snapshot.map(Explanation::numbersOf).orElseGet(() -> numbersOf(facts)));
    if (!missed.isEmpty()) {
      numbers.put("used, not in the cloud", missed.size() + " (a later read decides): " + missed);
    }
    int unwritten = snapshot.map(NodeSnapshot::unwritten).orElse(0);
    if (unwritten > 0) {
      numbers.put("not in the object", Integer.toString(unwritten));
    }
    untaken.ifPresent(left -> numbers.put("on offer, not taken by the agent", left));
    Duration waited = Duration.ofNanos(waitedNanos.orElse(0));
    if (waited.compareTo(LONG_WAIT) >= 0) {
      numbers.put("waits for its turn at the cloud", waited.toSeconds() + " s");
    }
    return new Explanation(
        node,
        state,
        numbers,
        handshakes,
        plan.map(MaintenancePlan::toText).orElse("none: the instance is not known"),
        blocked,
        blocked
            .map(why -> why.reason().remedy())
            .or(() -> unwritten > 0 ? Optional.of(UNWRITTEN) : Optional.empty())
            .or(() -> snapshot.flatMap(Explanation::heldBack))
            .or(() -> snapshot.flatMap(Explanation::promisedInVain))
            .orElse(""));
  }

  /** The same of a node that has been tainted for so long because it has no address for a pod. */
  Explanation tainted(Duration span) {
    Map<String, String> more = new LinkedHashMap<>(numbers);
    more.put("tainted for lack of addresses", "for " + span.toSeconds() + " s");
    return new Explanation(node, state, more, handshakes, plan, blocked, advice);
  }

  /** The remedy when nothing fails, and yet the watermarks are not reached. */
  private static Optional<String> heldBack(NodeSnapshot now) {
    NodeStatistics statistics = now.statistics();
    int missing = now.watermarks().heldBack(statistics.available(), statistics.used());
    if (missing == 0 || now.closed()) {
      return Optional.empty();
    }
    boolean written = now.facts().spec().maxAllocate() > 0;
    BlockedReason ceiling = written ? BlockedReason.MAX_ALLOCATE : BlockedReason.OUT_OF_INTERFACES;
    return Optional.of(
        missing
            + " addresses below its watermarks, because "
            + (written ? "max-allocate" : "the instance")
            + " allows no more. "
            + ceiling.remedy());
  }

  /** The remedy when the scheduler counts on more pods than the node can supply. */
  private static Optional<String> promisedInVain(NodeSnapshot now) {
    PodCapacity capacity = now.podCapacity();
    return capacity.promisedInVain() > 0 ? Optional.of(capacity.advice()) : Optional.empty();
  }

  /** The same of a node that waits for the first scan of the cloud. */
  Explanation waiting() {
    return waiting(node, numbers, handshakes, plan);
  }

  static Explanation unread(String node) {
    return waiting(
        node,
        numbersOf(ResourceFacts.of(NodeResource.named(node))),
        Map.of(),
        "none: the node was not read yet");
  }

  private static Explanation waiting(
      String node, Map<String, String> numbers, Map<String, Integer> handshakes, String plan) {
    return new Explanation(
        node, NodeState.WAITING, numbers, handshakes, plan, Optional.empty(), UNREAD);
  }

  static Explanation incomplete(String node, Blocked why, ResourceFacts facts) {
    return new Explanation(
        node,
        NodeState.INCOMPLETE,
        numbersOf(facts),
        Map.of(),
        "none: the instance is not known",
        Optional.of(why),
        why.reason().remedy());
  }

  /** The numbers of the resource alone, when the cloud's state is unknown. */
  static Map<String, String> numbersOf(ResourceFacts facts) {
    Map<String, String> numbers = new LinkedHashMap<>();
    numbers.put("available", facts.poolSize() + " (as the object says)");
    numbers.put("used", Integer.toString(facts.usedCount()));
    numbers.put("pre-allocate", Integer.toString(facts.spec().preAllocate()));
    numbers.put("min-allocate", Integer.toString(facts.spec().minAllocate()));
    numbers.put("max-allocate", Integer.toString(facts.spec().maxAllocate()));
    numbers.put("max-above-watermark", Integer.toString(facts.spec().maxAboveWatermark()));
    return numbers;
  }

  static Map<String, String> numbersOf(NodeSnapshot now) {
    NodeStatistics statistics = now.statistics();
    Watermarks marks = now.watermarks();
    int pending = now.pendingPods().orElse(0);
    Map<String, String> numbers = new LinkedHashMap<>();
    numbers.put("available", Integer.toString(statistics.available()));
    numbers.put(
        "used", statistics.used() + (now.facts().multiPool() ? " (from the agent's demand)" : ""));
    numbers.put("spare", Integer.toString(statistics.available() - statistics.used()));
    numbers.put("capacity", Integer.toString(statistics.capacity()));
    numbers.put(
        "pre-allocate",
        marks.preAllocate()
            + origin(now)
            + (now.closed() ? " (not kept: the node takes no new pods)" : ""));
    now.demand()
        .ifPresent(
            demand ->
                numbers.put(
                    "spare by demand",
                    demand.text(now.config().demand().orElseThrow())
                        + "; asks up to "
                        + marks.target()
                        + ", releases above "
                        + marks.high()));
    boolean written = marks.minAllocate() == now.facts().spec().minAllocate();
    numbers.put("min-allocate", marks.minAllocate() + (written ? "" : " (start of the agent)"));
    numbers.put("ceiling", ceiling(now, marks.ceiling()));
    numbers.put("max-above-watermark", Integer.toString(marks.maxAboveWatermark()));
    numbers.put(
        "pending pods", now.pendingPods().isPresent() ? Integer.toString(pending) : "not counted");
    numbers.put("needed", needed(now));
    numbers.put("asks for", Integer.toString(now.wanted()));
    numbers.put("excess", Integer.toString(statistics.excess()));
    if (now.drain().interfaces() > 0) {
      numbers.put("draining", draining(now.drain()));
    }
    numbers.put(
        "interfaces",
        statistics.interfaces()
            + " attached, "
            + statistics.interfacesWithRoom()
            + " with room, "
            + NodeStatistics.slotsText(statistics.emptySlots()));
    if (now.maxPods().isPresent()) {
      numbers.put("max-pods", Integer.toString(now.maxPods().getAsInt()));
      numbers.put("pods", now.podCapacity().text());
    }
    numbers.put("prefix delegation", now.prefixDelegated() ? "yes" : "no");
    return numbers;
  }

  private static String origin(NodeSnapshot now) {
    if (now.demand().isPresent()) {
      return " (by demand)";
    }
    return now.facts().spec().preAllocate() == 0 ? " (default, none is written)" : "";
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

  /** Several lines for a terminal. */
  public String toText() {
    StringBuilder text = new StringBuilder();
    text.append("node ").append(node).append(" is ").append(state.text()).append('\n');
    int width = numbers.keySet().stream().mapToInt(String::length).max().orElse(0);
    numbers.forEach(
        (key, value) ->
            text.append("  ")
                .append(key)
                .append(" ".repeat(width - key.length() + 2))
                .append(value)
                .append('\n'));
    if (!handshakes.isEmpty()) {
      text.append("  release handshake: ").append(handshakes).append('\n');
    }
    text.append("plan: ").append(plan).append('\n');
    blocked.ifPresent(
        why ->
            text.append(why.reason().stopsNode() ? "blocked: " : "open: ")
                .append(why.reason().label())
                .append(' ')
                .append(why.reason())
                .append(": ")
                .append(why.detail())
                .append('\n'));
    text.append("what you can do: ").append(advice.isEmpty() ? "nothing is wrong" : advice);
    return text.append('\n').toString();
  }
}
