package io.tidemark.provider.mock;

import io.tidemark.ip.Cidr;
import io.tidemark.provider.kit.AccountState;
import io.tidemark.provider.kit.step.RangeAssignment;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AliasRangeOutcome;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.NodeAliasRanges;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.time.TimeSource;
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
final class MockAliasRanges implements NodeAliasRanges, RangeAssignment.Cloud {
  private static final Pattern PROVIDER_ID = Pattern.compile("mock://.*/([^/]+)");

  private final MockApi api;
  private final TimeSource time;
  private final long expiryNanos;
  private final RangeAssignment assignment;
  private final Claims claims;
  private final Map<InstanceId, Known> known = new HashMap<>();
  private volatile boolean used;

  /** The facts about one instance; guarded by the lock of {@link #known}. */
  private static final class Known {
    /** Null while it was not read. */
    @Nullable List<Cidr> read;

    /** Own additions and when each was made. */
    final Map<Cidr, Long> added = new LinkedHashMap<>();
  }

  MockAliasRanges(MockApi api, AccountState<?, ?> account, Claims claims) {
    this.api = api;
    this.time = account.scheduler().time();
    this.expiryNanos = account.inventory().overlayExpiry().toNanos();
    this.assignment = new RangeAssignment(this, time, account.horizon());
    this.claims = claims;
  }

  /** From now on reads of instances read their ranges, too. */
  MockAliasRanges use() {
    used = true;
    return this;
  }

  @Override
  public Optional<InstanceId> instanceOf(String providerId) {
    Matcher matcher = PROVIDER_ID.matcher(providerId);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    InstanceId id = new InstanceId(matcher.group(1));
    claims.named(id);
    return Optional.of(id);
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
    return assignment.add(instance, cidr, context);
  }

  @Override
  public CompletionStage<CallResult<InstanceId>> send(
      InstanceId instance, Cidr range, CallContext context) {
    return api.addAliasRange(instance, range, context);
  }

  @Override
  public CompletionStage<CallResult<Boolean>> shows(
      InstanceId instance, Cidr range, CallContext context) {
    long began = time.nanos();
    return api.aliasRanges(Set.of(instance), context)
        .thenApply(
            result -> {
              accept(began, Set.of(instance), result);
              return result.map(
                  read -> ranges(instance).filter(all -> all.contains(range)).isPresent());
            });
  }

  @Override
  public void added(InstanceId instance, Cidr range) {
    synchronized (known) {
      of(instance).added.put(range, time.nanos());
    }
  }

  @Override
  public RangeAssignment.Meaning meaning(Failure refusal) {
    return switch (refusal.condition()) {
      case MockFailureClassifier.ALIAS_DUPLICATE -> RangeAssignment.Meaning.ASSIGNED;
      case MockFailureClassifier.ALIAS_IN_USE -> RangeAssignment.Meaning.HELD;
      default -> RangeAssignment.Meaning.REFUSED;
    };
  }

  /** Reads the ranges of instances that were just read; nothing unless somebody uses them. */
  CompletionStage<Map<InstanceId, SyncOutcome>> refresh(
      Map<InstanceId, SyncOutcome> outcomes, CallContext context) {
    if (!used) {
      return MockAccount.done(outcomes);
    }
    Set<InstanceId> ids = new TreeSet<>();
    outcomes.forEach(
        (id, outcome) -> {
          if (outcome instanceof SyncOutcome.Synced) {
            ids.add(id);
          }
        });
    if (ids.isEmpty()) {
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
  }

  private Known of(InstanceId instance) {
    return known.computeIfAbsent(instance, id -> new Known());
  }

  /** The node is gone, or has another instance. */
  void forget(InstanceId instance) {
    synchronized (known) {
      known.remove(instance);
    }
    assignment.forget(instance);
  }
}
