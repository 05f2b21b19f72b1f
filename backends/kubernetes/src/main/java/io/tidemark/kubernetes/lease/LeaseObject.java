package io.tidemark.kubernetes.lease;

import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.tidemark.cluster.lease.LeasePort;
import io.tidemark.cluster.lease.LeaseRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Between the API's {@code coordination.k8s.io/v1 Lease} and a {@link LeaseRecord}. */
final class LeaseObject {
  /** In front of the name of a note, which is kept as an annotation. */
  static final String NOTES = "tidemark.io/";

  private LeaseObject() {}

  static LeaseRecord record(Lease lease) {
    LeaseSpec spec = lease.getSpec() == null ? new LeaseSpec() : lease.getSpec();
    String holder = spec.getHolderIdentity() == null ? "" : spec.getHolderIdentity();
    int seconds = spec.getLeaseDurationSeconds() == null ? 0 : spec.getLeaseDurationSeconds();
    int transitions = spec.getLeaseTransitions() == null ? 0 : spec.getLeaseTransitions();
    return new LeaseRecord(
        lease.getMetadata().getUid(),
        lease.getMetadata().getResourceVersion(),
        holder,
        Duration.ofSeconds(seconds),
        String.valueOf(spec.getRenewTime()),
        transitions,
        writtenAt(lease),
        notes(lease));
  }

  /** The newest of the times at which fields were written. */
  private static Optional<Instant> writtenAt(Lease lease) {
    return lease.getMetadata().getManagedFields().stream()
        .map(ManagedFieldsEntry::getTime)
        .filter(Objects::nonNull)
        .flatMap(time -> instant(time).stream())
        .max(Comparator.naturalOrder());
  }

  private static Optional<Instant> instant(String time) {
    try {
      return Optional.of(Instant.parse(time));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  /** {@code before} as {@code claim} makes it; fields of others stay. */
  static Lease claimed(Lease before, LeasePort.Claim claim, long epochMillis) {
    ZonedDateTime now = Instant.ofEpochMilli(epochMillis).atZone(ZoneOffset.UTC);
    boolean released = claim.holder().isEmpty();
    long seconds = released ? 1 : claim.timing().lease().toSeconds();
    LeaseBuilder builder = new LeaseBuilder(before);
    builder
        .editOrNewMetadata()
        .addToAnnotations(annotations(claim.notes()))
        .endMetadata()
        .editOrNewSpec()
        .withHolderIdentity(claim.holder())
        .withLeaseDurationSeconds(Math.toIntExact(seconds))
        .withRenewTime(now)
        .withLeaseTransitions(claim.transitions())
        .endSpec();
    if (claim.began()) {
      builder.editSpec().withAcquireTime(now).endSpec();
    }
    return builder.build();
  }

  /** The annotations of ours, by what follows the prefix. */
  private static Map<String, String> notes(Lease lease) {
    Map<String, String> annotations = lease.getMetadata().getAnnotations();
    Map<String, String> notes = new HashMap<>();
    if (annotations != null) {
      annotations.forEach(
          (name, text) -> {
            if (name.startsWith(NOTES)) {
              notes.put(name.substring(NOTES.length()), text);
            }
          });
    }
    return notes;
  }

  private static Map<String, String> annotations(Map<String, String> notes) {
    Map<String, String> annotations = new HashMap<>();
    notes.forEach((name, text) -> annotations.put(NOTES + name, text));
    return annotations;
  }
}
