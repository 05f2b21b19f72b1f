package io.tidemark.resource;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Who wrote an object in memory, and when: what an API server keeps as managed fields. Immutable.
 *
 * @param any by writer, when it last wrote anything, in seconds since 1970
 * @param operators by writer, when it last wrote the operator's part
 * @param podCidrs who wrote the CIDRs last
 */
record WriteRecord(Map<String, Long> any, Map<String, Long> operators, Optional<String> podCidrs) {
  static final WriteRecord EMPTY = new WriteRecord(Map.of(), Map.of(), Optional.empty());

  /** With a write of {@code writer}, which led from one version to the next. */
  WriteRecord with(String writer, long seconds, NodeResource before, NodeResource after) {
    boolean operator = before.operatorHash() != after.operatorHash();
    boolean assigned = !before.podCidrs().equals(after.podCidrs());
    return new WriteRecord(
        with(any, writer, seconds),
        operator ? with(operators, writer, seconds) : operators,
        assigned ? Optional.of(writer).filter(name -> !name.isEmpty()) : podCidrs);
  }

  private static Map<String, Long> with(Map<String, Long> before, String writer, long seconds) {
    Map<String, Long> after = new TreeMap<>(before);
    after.put(writer, seconds);
    return after;
  }

  /** As one of the writers sees it. */
  LastWriter seenBy(String self) {
    long own = operators.getOrDefault(self, Long.MIN_VALUE);
    Optional<String> other =
        operators.entrySet().stream()
            .filter(each -> !each.getKey().equals(self) && each.getValue() >= own)
            .max(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry::getKey))
            .map(Map.Entry::getKey);
    return new LastWriter(other, false, podCidrs, any.getOrDefault(self, LastWriter.NEVER));
  }
}
