package io.tidemark.operator.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.resilience.BucketState;
import io.tidemark.resilience.CallCounts;
import io.tidemark.spi.PoolQuota;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** {@link CloudFacts} for programs. Stateless. */
final class CloudJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static final int UNDER_WAY_MOST = 50;

  private static final double THOUSANDTH = 1000;
  private static final double MOST = 1e12;

  private CloudJson() {}

  static ObjectNode tree(CloudFacts facts) {
    ObjectNode tree = MAPPER.createObjectNode();
    if (facts.subnets().isPresent()) {
      ArrayNode subnets = tree.putArray("subnets");
      facts
          .subnets()
          .get()
          .forEach((id, quota) -> subnets.add(subnet(id.text(), quota, facts.daysLeft().get(id))));
    } else {
      tree.putNull("subnets");
    }
    ArrayNode requests = tree.putArray("requests");
    requests(facts).values().forEach(requests::add);
    if (facts.underWay().isPresent()) {
      ObjectNode underWay = tree.putObject("changesUnderWay");
      underWay.put("count", facts.underWay().get().size());
      ArrayNode listed = underWay.putArray("oldest");
      facts.underWay().get().stream().limit(UNDER_WAY_MOST).forEach(listed::add);
    } else {
      tree.putNull("changesUnderWay");
    }
    return tree;
  }

  private static ObjectNode subnet(String id, PoolQuota quota, @Nullable Double daysLeft) {
    OptionalInt blocks = quota.freeBlocks();
    return MAPPER
        .createObjectNode()
        .put("id", id)
        .put("zone", quota.availabilityZone())
        .put("free", quota.availableIps())
        .put("daysLeft", daysLeft == null ? null : Math.max(0.001, rounded(daysLeft)))
        .put("freeBlocks", blocks.isPresent() ? (Integer) blocks.getAsInt() : null)
        .put("blockRefused", quota.blockRefused());
  }

  /** A row for each bucket, and for each operation that was counted and has none. */
  private static Map<String, ObjectNode> requests(CloudFacts facts) {
    CallCounts counts = facts.counts();
    Map<String, ObjectNode> rows = new LinkedHashMap<>();
    Set<String> shown = new TreeSet<>();
    for (BucketState bucket : facts.buckets()) {
      // The counts are those of all accounts: an operation has them in its first row.
      boolean first = shown.add(bucket.operation());
      ObjectNode row = counted(bucket.operation(), counts, first);
      rows.put(
          bucket.account() + ' ' + bucket.operation(),
          row.put("account", bucket.account())
              .put("tokens", rounded(bucket.tokens()))
              .put("capacity", rounded(bucket.capacity()))
              .put("callsPerSecond", rounded(bucket.callsPerSecond()))
              .put("waiting", bucket.waiting())
              .put("throttledLately", bucket.throttled())
              .put("closedSeconds", seconds(bucket.closed())));
    }
    for (String operation : counts.calls().keySet()) {
      if (!shown.contains(operation)) {
        rows.put(operation, counted(operation, counts, true));
      }
    }
    return rows;
  }

  private static ObjectNode counted(String operation, CallCounts counts, boolean first) {
    return MAPPER
        .createObjectNode()
        .put("operation", operation)
        .put("sent", first ? counts.calls().getOrDefault(operation, 0L) : 0)
        .put("throttled", first ? counts.throttled().getOrDefault(operation, 0L) : 0);
  }

  /** Infinite where pacing is off; JSON has no such number. */
  private static double rounded(double value) {
    double bounded = Math.max(-MOST, Math.min(MOST, value));
    return Math.round(bounded * THOUSANDTH) / THOUSANDTH;
  }

  /** Whole seconds, rounded up. */
  private static long seconds(Duration span) {
    return span.plusNanos(999_999_999).toSeconds();
  }
}
