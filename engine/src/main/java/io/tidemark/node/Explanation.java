package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Why a node stands as it does (node-manager 13 D-19): the numbers of section 2, the plan of this
 * moment, what blocks it, what a person can do. An immutable value; {@link #toText} is for people.
 *
 * @param numbers name to value, in reading order: the watermarks and what they yield
 * @param handshakes number of addresses by phase of the release handshake
 * @param plan what the next pass would do
 * @param blocked why it cannot be done
 * @param advice what a person can do; empty text when there is nothing
 */
public record Explanation(
    String node,
    NodeState state,
    Map<String, String> numbers,
    Map<String, Integer> handshakes,
    String plan,
    Optional<Blocked> blocked,
    String advice) {
  /** A shorter wait is told to nobody. */
  private static final Duration LONG_WAIT = Duration.ofSeconds(5);

  public Explanation {
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(state, "state");
    numbers = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(numbers));
    handshakes = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(handshakes));
    Objects.requireNonNull(plan, "plan");
    Objects.requireNonNull(blocked, "blocked");
    Objects.requireNonNull(advice, "advice");
  }

  static Explanation of(
      String node,
      Standing standing,
      Optional<NodeSnapshot> snapshot,
      Optional<MaintenancePlan> plan,
      Optional<Blocked> blocked,
      ReleaseHandshake handshake,
      ResourceFacts facts,
      AddressSet missed,
      OptionalLong waitedNanos) {
    Map<String, Integer> handshakes = new LinkedHashMap<>();
    for (ReleaseHandshake.Phase phase : ReleaseHandshake.Phase.values()) {
      int count = handshake.inPhase(phase).size();
      if (count > 0) {
        handshakes.put(phase.name().toLowerCase(java.util.Locale.ROOT), count);
      }
    }
    Map<String, String> numbers =
        new LinkedHashMap<>(
            snapshot.map(ExplainedNumbers::of).orElseGet(() -> ExplainedNumbers.of(facts)));
    if (!missed.isEmpty()) {
      numbers.put("used, not in the cloud", missed.size() + " (a later read decides): " + missed);
    }
    Duration waited = Duration.ofNanos(waitedNanos.orElse(0));
    if (waited.compareTo(LONG_WAIT) >= 0) {
      numbers.put("waits for its turn at the cloud", waited.toSeconds() + " s");
    }
    return new Explanation(
        node,
        standing.state(),
        numbers,
        handshakes,
        plan.map(PlanText::of).orElse("none: the instance is not known"),
        blocked,
        blocked
            .map(why -> why.reason().remedy())
            .or(() -> snapshot.flatMap(Explanation::heldBack))
            .or(() -> snapshot.flatMap(Explanation::promisedInVain))
            .orElse(""));
  }

  /** What can be done when nothing fails, and yet the watermarks are not reached. */
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

  /** What can be done when the scheduler goes by a number that cannot be kept. */
  private static Optional<String> promisedInVain(NodeSnapshot now) {
    PodCapacity capacity = PodCapacity.of(now);
    return capacity.promisedInVain() > 0 ? Optional.of(capacity.advice()) : Optional.empty();
  }

  /** The explanation of a node whose instance is not known yet. */
  static Explanation incomplete(String node, Blocked why, ResourceFacts facts) {
    return new Explanation(
        node,
        NodeState.INCOMPLETE,
        ExplainedNumbers.of(facts),
        Map.of(),
        "none: the instance is not known",
        Optional.of(why),
        why.reason().remedy());
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
