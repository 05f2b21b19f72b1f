package io.tidemark.kubernetes.store;

import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.resource.PrunedFields;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fields that the API server drops, learned for all nodes at once and forgotten after a while, so
 * that a newer schema is noticed. Thread-safe.
 */
final class PrunedMemory {
  private static final Logger LOG = LoggerFactory.getLogger(PrunedMemory.class);
  private static final Duration KEPT = Duration.ofHours(1);

  /** While no agent gets addresses, the server is asked again soon. */
  private static final Duration KEPT_ESSENTIAL = Duration.ofMinutes(1);

  private final TimeSource time;
  private final Object lock = new Object();
  private PrunedFields fields = PrunedFields.NONE;
  private final Set<String> missed = new TreeSet<>();
  private long learnedNanos;

  PrunedMemory(TimeSource time) {
    this.time = time;
  }

  PrunedFields fields() {
    synchronized (lock) {
      Duration kept = fields.essential().isEmpty() ? KEPT : KEPT_ESSENTIAL;
      if (time.nanos() - learnedNanos > kept.toNanos()) {
        fields = PrunedFields.NONE;
      }
      return fields;
    }
  }

  /** A write of {@code section}, with all fields that are not known, was answered. */
  void learn(String section, PrunedFields dropped) {
    boolean isNew;
    synchronized (lock) {
      PrunedFields more = fields.and(dropped);
      isNew = !more.equals(fields);
      if (isNew) {
        fields = more;
        learnedNanos = time.nanos();
      }
      missed.removeIf(path -> path.startsWith(section + '.'));
      missed.addAll(fields.essential());
    }
    if (isNew) {
      LOG.warn(
          "The API server drops fields of CiliumNodes: its CustomResourceDefinition is older than"
              + " this operator. Update the definition. fields={}",
          dropped);
    }
  }

  /** Which fields the server drops without which no agent gets addresses; empty for none. */
  Optional<String> trouble() {
    synchronized (lock) {
      return missed.isEmpty()
          ? Optional.empty()
          : Optional.of(
              String.valueOf(
                  new IpamException(
                          CoreError.DEFINITION_UNSUITABLE,
                          "the API server drops fields of CiliumNodes that agents need: "
                              + String.join(", ", missed))
                      .getMessage()));
    }
  }
}
