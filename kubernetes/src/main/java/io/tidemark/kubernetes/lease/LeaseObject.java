package io.tidemark.kubernetes.lease;

import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.tidemark.cluster.lease.LeasePort;
import io.tidemark.cluster.lease.LeaseRecord;
import io.tidemark.resilience.LearnedRates;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Between the API's {@code coordination.k8s.io/v1 Lease} and a {@link LeaseRecord}. */
final class LeaseObject {
  /** One estimate per line: account, operation, calls per second, separated by tabs. */
  static final String RATES = "tidemark.io/learned-rates";

  private static final int ESTIMATES_MAX = 1024;

  private LeaseObject() {}

  static LeaseRecord record(Lease lease) {
    LeaseSpec spec = lease.getSpec() == null ? new LeaseSpec() : lease.getSpec();
    String holder = spec.getHolderIdentity() == null ? "" : spec.getHolderIdentity();
    int seconds = spec.getLeaseDurationSeconds() == null ? 0 : spec.getLeaseDurationSeconds();
    int transitions = spec.getLeaseTransitions() == null ? 0 : spec.getLeaseTransitions();
    Map<String, String> annotations = lease.getMetadata().getAnnotations();
    return new LeaseRecord(
        lease.getMetadata().getUid(),
        lease.getMetadata().getResourceVersion(),
        holder,
        Duration.ofSeconds(seconds),
        String.valueOf(spec.getRenewTime()),
        transitions,
        writtenAt(lease),
        rates(annotations == null ? "" : annotations.getOrDefault(RATES, "")));
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
        .addToAnnotations(RATES, text(claim.rates()))
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

  private static String text(LearnedRates rates) {
    StringBuilder text = new StringBuilder();
    for (LearnedRates.Estimate each : rates.estimates()) {
      text.append(each.account()).append('\t').append(each.operation()).append('\t');
      text.append(each.callsPerSecond()).append('\n');
    }
    return text.toString();
  }

  /** What cannot be read is left out: it is an estimate, learned again soon. */
  private static LearnedRates rates(String text) {
    List<LearnedRates.Estimate> estimates = new ArrayList<>();
    text.lines().limit(ESTIMATES_MAX).forEach(line -> estimate(line).ifPresent(estimates::add));
    return new LearnedRates(estimates);
  }

  private static Optional<LearnedRates.Estimate> estimate(String line) {
    List<String> parts = List.of(line.split("\t", -1));
    if (parts.size() != 3) {
      return Optional.empty();
    }
    try {
      double rate = Double.parseDouble(parts.get(2));
      return rate > 0 && Double.isFinite(rate)
          ? Optional.of(new LearnedRates.Estimate(parts.get(0), parts.get(1), rate))
          : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
