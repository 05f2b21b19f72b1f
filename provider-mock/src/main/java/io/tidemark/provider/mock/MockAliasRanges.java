package io.tidemark.provider.mock;

import io.tidemark.ip.Cidr;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AliasRangeOutcome;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.NodeAliasRanges;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The alias ranges of instances as last read, and those that were added since. A read that began
 * too early to show an own addition does not hide it. Thread-safe.
 */
final class MockAliasRanges implements NodeAliasRanges {
  private static final Pattern PROVIDER_ID = Pattern.compile("mock://.*/([^/]+)");

  private final MockApi api;
  private final TimeSource time;
  private final long expiryNanos;
  private final Map<InstanceId, Known> known = new HashMap<>();
  private volatile boolean used;

  /** What is known of one instance; guarded by the lock of {@link #known}. */
  private static final class Known {
    /** Null while it was not read. */
    @Nullable List<Cidr> read;

    /** Own additions and when each was made. */
    final Map<Cidr, Long> added = new LinkedHashMap<>();

    /** The range whose addition had no answer; null when there is none. */
    @Nullable Cidr uncertain;
  }

  MockAliasRanges(MockApi api, TimeSource time, Duration overlayExpiry) {
    this.api = api;
    this.time = time;
    this.expiryNanos = overlayExpiry.toNanos();
  }

  /** From now on reads of instances read their ranges, too. */
  MockAliasRanges use() {
    used = true;
    return this;
  }

  @Override
  public Optional<InstanceId> instanceOf(String providerId) {
    Matcher matcher = PROVIDER_ID.matcher(providerId);
    return matcher.matches() ? Optional.of(new InstanceId(matcher.group(1))) : Optional.empty();
  }

  @Override
  public Optional<List<Cidr>> ranges(InstanceId instance) {
    synchronized (known) {
      Known of = known.get(instance);
      if (of == null || of.read == null) {
        return Optional.empty();
      }
      List<Cidr> all = new ArrayList<>(of.read);
      of.added.keySet().stream().filter(each -> !all.contains(each)).forEach(all::add);
      return Optional.of(List.copyOf(all));
    }
  }

  @Override
  public CompletionStage<AliasRangeOutcome> add(
      InstanceId instance, Cidr cidr, CallContext context) {
    boolean uncertain;
    synchronized (known) {
      uncertain = cidr.equals(of(instance).uncertain);
    }
    return uncertain
        ? readBack(instance, cidr, context)
            .thenCompose(
                shown ->
                    shown
                        ? MockAccount.done(new AliasRangeOutcome.AlreadyOurs())
                        : send(instance, cidr, context))
        : send(instance, cidr, context);
  }

  private CompletionStage<AliasRangeOutcome> send(
      InstanceId instance, Cidr cidr, CallContext context) {
    return api.addAliasRange(instance, cidr, context)
        .thenCompose(
            result ->
                result.match(
                    id -> has(id, cidr, new AliasRangeOutcome.Added()),
                    failure -> failed(instance, cidr, failure, context)));
  }

  private CompletionStage<AliasRangeOutcome> failed(
      InstanceId instance, Cidr cidr, Failure failure, CallContext context) {
    if (failure.kind() == Failure.Kind.LOST) {
      synchronized (known) {
        of(instance).uncertain = cidr;
      }
      return readBack(instance, cidr, context)
          .thenApply(
              shown ->
                  shown ? new AliasRangeOutcome.Added() : new AliasRangeOutcome.Unknown(failure));
    }
    return switch (failure.condition()) {
      case MockFailureClassifier.ALIAS_DUPLICATE ->
          has(instance, cidr, new AliasRangeOutcome.AlreadyOurs());
      case MockFailureClassifier.ALIAS_IN_USE ->
          MockAccount.done(new AliasRangeOutcome.Taken(failure.detail()));
      default -> MockAccount.done(new AliasRangeOutcome.Refused(failure));
    };
  }

  /** Whether a read shows the range. */
  private CompletionStage<Boolean> readBack(InstanceId instance, Cidr cidr, CallContext context) {
    long began = time.nanos();
    return api.aliasRanges(Set.of(instance), context)
        .thenApply(
            result -> {
              accept(began, Set.of(instance), result);
              return ranges(instance).filter(all -> all.contains(cidr)).isPresent();
            });
  }

  private CompletionStage<AliasRangeOutcome> has(
      InstanceId instance, Cidr cidr, AliasRangeOutcome outcome) {
    synchronized (known) {
      Known of = of(instance);
      of.added.put(cidr, time.nanos());
      if (cidr.equals(of.uncertain)) {
        of.uncertain = null;
      }
    }
    return MockAccount.done(outcome);
  }

  /** Reads the ranges of instances that were just read; nothing unless somebody uses them. */
  CompletionStage<Map<InstanceId, SyncOutcome>> refresh(
      Map<InstanceId, SyncOutcome> outcomes, CallContext context) {
    Set<InstanceId> ids = new TreeSet<>();
    outcomes.forEach(
        (id, outcome) -> {
          if (outcome instanceof SyncOutcome.Synced) {
            ids.add(id);
          }
        });
    if (!used || ids.isEmpty()) {
      return MockAccount.done(outcomes);
    }
    long began = time.nanos();
    return api.aliasRanges(ids, context)
        .thenApply(
            result -> {
              accept(began, ids, result);
              Map<InstanceId, SyncOutcome> all = new HashMap<>(outcomes);
              result
                  .refusal()
                  .ifPresent(why -> ids.forEach(id -> all.put(id, new SyncOutcome.Failed(why))));
              return all;
            });
  }

  private void accept(
      long began, Collection<InstanceId> ids, CallResult<Map<InstanceId, List<Cidr>>> result) {
    result
        .answer()
        .ifPresent(
            ranges -> {
              synchronized (known) {
                ids.forEach(id -> accept(began, of(id), ranges.getOrDefault(id, List.of())));
              }
            });
  }

  private void accept(long began, Known of, List<Cidr> read) {
    of.read = read;
    of.added.values().removeIf(at -> began - at >= expiryNanos);
    if (of.uncertain != null && read.contains(of.uncertain)) {
      of.uncertain = null;
    }
  }

  private Known of(InstanceId instance) {
    return known.computeIfAbsent(instance, id -> new Known());
  }

  /** The node is gone, or has another instance. */
  void forget(InstanceId instance) {
    synchronized (known) {
      known.remove(instance);
    }
  }
}
