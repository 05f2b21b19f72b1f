package io.tidemark.nodecidr.cloud;

import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.CidrAllocatorType;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AliasRangeOutcome;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.NodeAliasRanges;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A cloud that routes ranges to instances: no two share an address. Each client has a cache of its
 * own, and its requests take the way of an effect runner.
 */
public final class AliasCloud {
  private static final String PREFIX = "cloud:///";
  private static final Duration REQUEST_MAX = Duration.ofSeconds(20);

  private final Map<String, List<Cidr>> instances = new TreeMap<>();
  private final Map<String, Set<Cidr>> past = new HashMap<>();

  /** Requests that arrived, such as {@code read i1} and {@code add i1 10.0.0.0/24}. */
  public final List<String> requests = new ArrayList<>();

  /** The end of a request of a name in place of being served. */
  public Function<String, Optional<Failure>> interference = request -> Optional.empty();

  /** Whether ranges are routed as soon as they are added. */
  public boolean areRouted = true;

  /** By which provider id a node names an instance. */
  public static String providerId(String instance) {
    return PREFIX + instance;
  }

  /** A new instance with ranges, in their order. */
  public AliasCloud launch(String instance, String... ranges) {
    instances.put(instance, new ArrayList<>(Stream.of(ranges).map(Cidr::parse).toList()));
    return this;
  }

  /** Ends an instance; its ranges are free. */
  public void terminate(String instance) {
    instances.remove(instance);
  }

  /** Gives a range to an instance, unless another has addresses of it. */
  public boolean grant(String instance, Cidr range) {
    List<Cidr> ranges = instances.get(instance);
    if (ranges == null || isTaken(range)) {
      return false;
    }
    give(instance, ranges, range);
    return true;
  }

  private void give(String instance, List<Cidr> ranges, Cidr range) {
    ranges.add(range);
    past.computeIfAbsent(instance, id -> new HashSet<>()).add(range);
  }

  private boolean isTaken(Cidr range) {
    return instances.values().stream().flatMap(List::stream).anyMatch(range::overlaps);
  }

  /** Takes all ranges away from an instance. */
  public void revoke(String instance) {
    instances.computeIfPresent(instance, (id, ranges) -> new ArrayList<>());
  }

  /** Whether an instance got the range once, or has it. */
  public boolean had(String instance, Cidr range) {
    return of(instance).contains(range) || past.getOrDefault(instance, Set.of()).contains(range);
  }

  /** The instances that exist. */
  public List<String> instances() {
    return List.copyOf(instances.keySet());
  }

  public boolean exists(String instance) {
    return instances.containsKey(instance);
  }

  /** The ranges of an instance now. */
  public List<Cidr> of(String instance) {
    return List.copyOf(instances.getOrDefault(instance, List.of()));
  }

  private Optional<List<Cidr>> read(String instance) throws Refusal {
    request("read " + instance);
    return Optional.ofNullable(instances.get(instance)).map(List::copyOf);
  }

  private AliasRangeOutcome add(String instance, Cidr range) throws Refusal {
    request("add " + instance + " " + range);
    List<Cidr> ranges = instances.get(instance);
    if (ranges == null) {
      throw new Refusal(Failure.of(Failure.Kind.NOT_FOUND, "noInstance", "no " + instance));
    }
    if (ranges.contains(range)) {
      return new AliasRangeOutcome.AlreadyOurs();
    }
    for (Map.Entry<String, List<Cidr>> each : instances.entrySet()) {
      if (each.getValue().stream().anyMatch(range::overlaps)) {
        return new AliasRangeOutcome.Taken("instance " + each.getKey() + " has it");
      }
    }
    give(instance, ranges, range);
    return new AliasRangeOutcome.Added();
  }

  private void request(String text) throws Refusal {
    requests.add(text);
    Optional<Failure> instead = interference.apply(text);
    if (instead.isPresent()) {
      throw new Refusal(instead.get());
    }
  }

  private static final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient Failure failure;

    Refusal(Failure failure) {
      this.failure = failure;
    }
  }

  /** Is told what a controller does to its instances, and what it was answered. */
  public interface Observer {
    default void read(InstanceId instance) {}

    default void adds(InstanceId instance, Cidr range) {}

    default void added(InstanceId instance, Cidr range, AliasRangeOutcome outcome) {}
  }

  /** The part of this cloud that a controller gets. */
  public CloudSource source(CidrAllocatorType type, EffectRunner network) {
    return source(type, network, new Observer() {});
  }

  /** The same, observed. */
  public CloudSource source(CidrAllocatorType type, EffectRunner network, Observer observer) {
    Client client = new Client(network, observer);
    return new CloudSource(type, client, client::read, client::forget);
  }

  /** One process that uses the cloud. */
  private final class Client implements NodeAliasRanges {
    private final EffectRunner network;
    private final Observer observer;
    private final Map<InstanceId, List<Cidr>> cache = new HashMap<>();

    Client(EffectRunner network, Observer observer) {
      this.network = network;
      this.observer = observer;
    }

    @Override
    public Optional<InstanceId> instanceOf(String providerId) {
      return providerId.startsWith(PREFIX)
          ? Optional.of(new InstanceId(providerId.substring(PREFIX.length())))
          : Optional.empty();
    }

    @Override
    public boolean areRouted() {
      return areRouted;
    }

    @Override
    public Optional<List<Cidr>> ranges(InstanceId instance) {
      return Optional.ofNullable(cache.get(instance)).map(List::copyOf);
    }

    CompletionStage<SyncOutcome> read(InstanceId instance, CallContext context) {
      return network
          .run(
              new EffectSite("read alias", instance.text()),
              REQUEST_MAX,
              () -> AliasCloud.this.read(instance.text()))
          .stage()
          .handle(
              (found, thrown) -> {
                if (thrown != null) {
                  return new SyncOutcome.Failed(failure(thrown));
                }
                if (found.isEmpty()) {
                  cache.remove(instance);
                  return new SyncOutcome.InstanceNotFound();
                }
                cache.put(instance, new ArrayList<>(found.get()));
                observer.read(instance);
                return new SyncOutcome.Synced(0);
              });
    }

    @Override
    public CompletionStage<AliasRangeOutcome> add(
        InstanceId instance, Cidr cidr, CallContext context) {
      observer.adds(instance, cidr);
      return network
          .run(
              new EffectSite("add alias", instance.text()),
              REQUEST_MAX,
              () -> AliasCloud.this.add(instance.text(), cidr))
          .stage()
          .handle(
              (outcome, thrown) -> {
                if (thrown != null) {
                  Failure failure = failure(thrown);
                  return failure.kind() == Failure.Kind.LOST
                      ? new AliasRangeOutcome.Unknown(failure)
                      : new AliasRangeOutcome.Refused(failure);
                }
                List<Cidr> known = cache.computeIfAbsent(instance, id -> new ArrayList<>());
                if (!(outcome instanceof AliasRangeOutcome.Taken) && !known.contains(cidr)) {
                  known.add(cidr);
                }
                return outcome;
              })
          .thenApply(
              outcome -> {
                observer.added(instance, cidr, outcome);
                return outcome;
              });
    }

    private static Failure failure(Throwable thrown) {
      Throwable cause = thrown.getCause() == null ? thrown : thrown.getCause();
      return cause instanceof Refusal refusal
          ? refusal.failure
          : Failure.of(Failure.Kind.LOST, "lost", String.valueOf(thrown));
    }

    void forget(InstanceId instance) {
      cache.remove(instance);
    }
  }
}
