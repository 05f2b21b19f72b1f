package io.tidemark.provider.aws.limits;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tidemark.error.IpamException;
import io.tidemark.error.NearestName;
import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
import io.tidemark.provider.aws.ec2.AwsPage;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2CallLimits;
import io.tidemark.provider.aws.ec2.Ec2Filter;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.provider.aws.ec2.InstanceType;
import io.tidemark.provider.aws.eni.Limits;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Priority;
import io.tidemark.spi.BlockedReason;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits of the instance types in use (provider-aws 5): settings take precedence, then EC2, which
 * is queried only for types in use and again after a day; without a response the shipped table
 * applies. A type in none of them is unknown. Never blocks; thread-safe.
 */
public final class InstanceTypeLimits implements Limits {
  private static final Logger LOG = LoggerFactory.getLogger(InstanceTypeLimits.class);
  private static final List<String> SOURCES = List.of("settings", "cloud", "table");
  private static final long FRESH_NANOS = Duration.ofHours(24).toNanos();

  /** Pause before EC2 is queried again for a type without a response. */
  private static final long AGAIN_NANOS = Duration.ofMinutes(1).toNanos();

  /** So that nodes that come at once are asked for at once. */
  private static final long GATHERING_NANOS = Duration.ofMillis(100).toNanos();

  private static final int NAMES_MAX = 100;
  private static final int TYPES_MAX = 5_000;

  private final Map<String, InstanceType> mapping;
  private final InstanceTypeTable table;
  private final Supplier<Ec2Api> ec2;
  private final CloudCalls calls;
  private final TaskScheduler scheduler;
  private final Meters metrics;
  private final Cache<String, Known> known;

  /** Types that EC2 is asked for; while there are any, a request is planned or under way. */
  private final Set<String> wanted = new TreeSet<>();

  /** The callers that wait for the lookups under way; guarded by {@code wanted}. */
  private final List<CompletableFuture<Void>> waiting = new ArrayList<>();

  /**
   * EC2's answer.
   *
   * @param type empty when it did not
   * @param askAfter monotonic instant
   */
  private record Known(Optional<InstanceType> type, long askAfter) {}

  /**
   * Makes no request yet.
   *
   * @param mapping by name, takes precedence over everything else
   * @param ec2 asked inside of requests alone
   */
  public InstanceTypeLimits(
      Map<String, InstanceType> mapping,
      Supplier<Ec2Api> ec2,
      CloudCalls calls,
      TaskScheduler scheduler,
      Meters metrics) {
    this(mapping, InstanceTypeTable.shipped(), ec2, calls, scheduler, metrics);
  }

  InstanceTypeLimits(
      Map<String, InstanceType> mapping,
      InstanceTypeTable table,
      Supplier<Ec2Api> ec2,
      CloudCalls calls,
      TaskScheduler scheduler,
      Meters metrics) {
    this.metrics = metrics;
    this.mapping = Map.copyOf(mapping);
    this.table = table;
    this.ec2 = ec2;
    this.calls = calls;
    this.scheduler = scheduler;
    this.known =
        Caffeine.newBuilder()
            .maximumSize(TYPES_MAX)
            .expireAfterAccess(Duration.ofDays(7))
            .ticker(scheduler.time()::nanos)
            .executor(Runnable::run)
            .build();
    this.mapping.keySet().forEach(type -> isFrom("settings", type));
  }

  /**
   * The type as settings or the shipped table have it, without EC2.
   *
   * @throws IpamException {@code LIMITS_UNKNOWN}, with the types of the nearest names
   */
  public static InstanceType shipped(Map<String, InstanceType> mapping, String name) {
    Map<String, InstanceType> types = new HashMap<>(InstanceTypeTable.shipped().types());
    types.putAll(mapping);
    @Nullable InstanceType type = types.get(name);
    if (type != null) {
      return type;
    }
    String nearest = String.join(", ", NearestName.sorted(name, types.keySet()).subList(0, 3));
    throw new IpamException(
        BlockedReason.LIMITS_UNKNOWN,
        "no limits of instance type '" + name + "' are shipped or set; the nearest are " + nearest);
  }

  @Override
  public Optional<InstanceType> find(String type) {
    InstanceType given = mapping.get(type);
    if (given != null || type.isEmpty()) {
      return Optional.ofNullable(given);
    }
    @Nullable Known told = known.getIfPresent(type);
    if (told == null || scheduler.time().nanos() - told.askAfter() >= 0) {
      want(type);
    }
    return Optional.ofNullable(told).flatMap(Known::type).or(() -> table.find(type));
  }

  @Override
  public boolean isPending(String type) {
    return !type.isEmpty()
        && !mapping.containsKey(type)
        && table.find(type).isEmpty()
        && known.getIfPresent(type) == null;
  }

  @Override
  public CompletionStage<Void> settled() {
    CompletableFuture<Void> end = new CompletableFuture<>();
    synchronized (wanted) {
      if (wanted.stream().anyMatch(this::isPending)) {
        waiting.add(end);
        return end;
      }
    }
    end.complete(null);
    return end;
  }

  /** Types that the shipped table lacks: of the others nothing is missed. */
  @Override
  public String learned() {
    return InstanceTypeNote.text(
        known.asMap().values().stream()
            .flatMap(each -> each.type().stream())
            .filter(type -> table.find(type.name()).isEmpty())
            .sorted(Comparator.comparing(InstanceType::name)));
  }

  @Override
  public void inherit(String learned) {
    long now = scheduler.time().nanos();
    InstanceTypeNote.parse(learned).stream()
        .filter(type -> table.find(type.name()).isEmpty())
        .forEach(type -> known.put(type.name(), new Known(Optional.of(type), now)));
  }

  @Override
  public void doubt(String type) {
    if (!mapping.containsKey(type) && !type.isEmpty()) {
      want(type);
    }
  }

  private void want(String type) {
    synchronized (wanted) {
      boolean asking = !wanted.isEmpty();
      if (wanted.size() >= TYPES_MAX || !wanted.add(type) || asking) {
        return;
      }
    }
    scheduler.at(scheduler.time().nanos() + GATHERING_NANOS, this::ask);
  }

  private void ask() {
    Set<String> names = new TreeSet<>();
    synchronized (wanted) {
      Iterator<String> each = wanted.iterator();
      while (each.hasNext() && names.size() < NAMES_MAX) {
        names.add(each.next());
      }
    }
    if (!names.isEmpty()) {
      ask(names, Optional.empty(), new ArrayList<>());
    }
  }

  private void ask(Set<String> names, Optional<String> token, List<InstanceType> before) {
    CallContext context =
        CallContext.within(
            Ec2CallLimits.CALL_TIMEOUT,
            scheduler.time(),
            "",
            Priority.Rank.REPAIR,
            new Cancellation());
    calls
        .call(
            Ec2Operation.DESCRIBE_INSTANCE_TYPES.kind(),
            context,
            attempt -> ec2.get().describeInstanceTypes(Ec2Filter.of("instance-type", names), token))
        .thenAccept(result -> read(names, before, result));
  }

  private void read(
      Set<String> names, List<InstanceType> before, CallResult<AwsPage<InstanceType>> result) {
    List<InstanceType> all = new ArrayList<>(before);
    Optional<String> next =
        result.match(
            page -> {
              all.addAll(page.items());
              return page.next();
            },
            failure -> {
              failed(names, failure);
              return Optional.empty();
            });
    if (next.isPresent()) {
      ask(names, next, all);
      return;
    }
    keep(names, all);
    again(names);
  }

  private void keep(Set<String> names, List<InstanceType> all) {
    long now = scheduler.time().nanos();
    for (String name : names) {
      Optional<InstanceType> type =
          all.stream().filter(each -> each.name().equals(name)).findFirst();
      Optional<InstanceType> earlier =
          Optional.ofNullable(known.getIfPresent(name)).flatMap(Known::type);
      long askAfter = now + (type.isPresent() ? FRESH_NANOS : AGAIN_NANOS);
      Known told = new Known(type.or(() -> earlier), askAfter);
      if (isPending(name) && type.isEmpty()) {
        LOG.warn(
            "No limits of instance type {} are known, so its nodes get no addresses: grant"
                + " ec2:DescribeInstanceTypes, or set aws-instance-limit-mapping. EC2 is asked"
                + " again every minute.",
            name);
      }
      known.put(name, told);
      if (told.type().isPresent()) {
        isFrom("cloud", name);
      } else if (table.find(name).isPresent()) {
        isFrom("table", name);
      }
    }
  }

  private void isFrom(String source, String type) {
    for (String each : SOURCES) {
      metrics.gauge(Metric.ENI_LIMITS, type, each).set(each.equals(source) ? 1 : 0);
    }
  }

  private void again(Set<String> asked) {
    List<CompletableFuture<Void>> ended = List.of();
    boolean more;
    synchronized (wanted) {
      wanted.removeAll(asked);
      more = !wanted.isEmpty();
      if (!more) {
        ended = List.copyOf(waiting);
        waiting.clear();
      }
    }
    ended.forEach(each -> each.complete(null));
    if (!more) {
      return;
    }
    scheduler.at(scheduler.time().nanos() + GATHERING_NANOS, this::ask);
  }

  private void failed(Set<String> names, Failure failure) {
    LOG.warn(
        "EC2 did not return the limits of {}: {}; the limits of {} are used where they have the"
            + " type",
        names,
        failure.toText(),
        table.source());
  }
}
