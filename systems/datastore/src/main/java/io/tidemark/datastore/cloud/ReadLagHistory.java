package io.tidemark.datastore.cloud;

import io.tidemark.datastore.CloudPart;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * When parts came and went, and since when they are missing, as far back as an answer of the cloud
 * may lag behind. Mutable and not thread-safe. Times are monotonic, in nanoseconds; {@code asked}
 * is when a read began.
 */
final class ReadLagHistory {
  /** The shortest age of a change, before a read began, at which the answer must show it. */
  static final Duration LAG_MAX = Duration.ofSeconds(30);

  /** The shortest age of a removal, before a read began, at which its answer is taken up. */
  static final Duration GONE_FOR = Duration.ofSeconds(60);

  private final Map<CloudPart, Long> changed = new HashMap<>();
  private final Map<CloudPart, Long> gone = new HashMap<>();
  private final Map<CloudPart, Long> missing = new HashMap<>();

  /** A part is here, or a request of ours about it is under way. */
  void changed(CloudPart part, long now) {
    changed.put(part, now);
    gone.remove(part);
    missing.remove(part);
  }

  /** A part has left. */
  void left(CloudPart part, long now) {
    changed.remove(part);
    missing.remove(part);
    gone.put(part, now);
  }

  /** These are missing in an answer, and no others. */
  void missing(Set<CloudPart> parts, long asked) {
    missing.keySet().retainAll(parts);
    parts.forEach(part -> missing.putIfAbsent(part, asked));
    changed.values().removeIf(at -> asked - at >= LAG_MAX.toNanos());
    gone.values().removeIf(at -> asked - at > GONE_FOR.toNanos());
  }

  /** Whether a read that began then shows what became of a part. */
  boolean isKnown(CloudPart part, long asked) {
    Long at = changed.get(part);
    return at == null || asked - at >= LAG_MAX.toNanos();
  }

  /** Whether a part that a read shows is here, and not one that has left. */
  boolean mayBeHere(CloudPart part, long asked) {
    Long at = gone.get(part);
    return at == null || asked - at > GONE_FOR.toNanos();
  }

  /** Whether something of an interface has left, and no read has shown since that it is gone. */
  boolean hasLostParts(String eniId) {
    return gone.keySet().stream().anyMatch(part -> part.eniId().equals(eniId));
  }

  /** Whether a part was missing in another answer, long enough before. */
  boolean wasMissing(CloudPart part, long asked) {
    Long since = missing.get(part);
    return since != null && asked - since >= LAG_MAX.toNanos();
  }

  /** Whether something is missing that is not given up yet. */
  boolean isInDoubt() {
    return !missing.isEmpty();
  }
}
