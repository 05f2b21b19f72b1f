package io.tidemark.kubernetes.store;

import io.tidemark.resource.PrunedFields;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fields that the API server drops, learned for all nodes at once and forgotten after a while, so
 * that a newer schema is noticed. Thread-safe.
 */
final class PrunedMemory {
  private static final Logger LOG = LoggerFactory.getLogger(PrunedMemory.class);
  private static final Duration KEPT = Duration.ofHours(1);

  private final TimeSource time;
  private final Object lock = new Object();
  private PrunedFields fields = PrunedFields.NONE;
  private long learnedNanos;

  PrunedMemory(TimeSource time) {
    this.time = time;
  }

  PrunedFields fields() {
    synchronized (lock) {
      if (time.nanos() - learnedNanos > KEPT.toNanos()) {
        fields = PrunedFields.NONE;
      }
      return fields;
    }
  }

  void learn(PrunedFields dropped) {
    synchronized (lock) {
      PrunedFields more = fields.and(dropped);
      if (more.equals(fields)) {
        return;
      }
      fields = more;
      learnedNanos = time.nanos();
    }
    LOG.warn(
        "The API server drops fields of CiliumNodes: its CustomResourceDefinition is older than"
            + " this operator. Update the definition. fields={}",
        dropped);
  }
}
