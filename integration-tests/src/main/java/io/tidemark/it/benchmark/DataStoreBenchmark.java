package io.tidemark.it.benchmark;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.CooldownRule;
import io.tidemark.datastore.DataStore;
import io.tidemark.datastore.StoreReleaseOutcome;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.datastore.checkpoint.IpamMetadata;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * P5: a store without a file, 95 % assigned: assigning an address and releasing it. Aim: 1 µs, the
 * same for 50 addresses and 5,000. Run it by {@code .ci/benchmarks datastore}.
 */
public class DataStoreBenchmark extends ThroughputBenchmark {
  /** Interfaces, and the addresses or prefixes of each. */
  @Param({"1x50", "5x50", "20x50", "100x50", "15x49", "15x16 prefixes"})
  public String shape = "";

  /** Seconds that a released address pauses: with some, what is assigned has cooled. */
  @Param({"0", "130"})
  public int cooldown;

  private final IpamKey key = NodeStores.key(-1);
  private final IpamMetadata metadata = NodeStores.metadata(-1);
  private final Clock clock = new Clock();
  private DataStore store =
      DataStore.inMemory(clock, CidrKind.SECONDARY, new CooldownRule(Duration.ZERO, Duration.ZERO));

  /** Moves on with each request, so that the free addresses have cooled when it is their turn. */
  private static final class Clock implements TimeSource {
    private long nanos;
    private long step;

    @Override
    public long nanos() {
      return nanos;
    }

    @Override
    public long epochMillis() {
      return nanos / 1_000_000;
    }
  }

  /** Adds the interfaces and fills them. */
  @Setup
  public void fill() {
    CidrKind kind = shape.endsWith("prefixes") ? CidrKind.PREFIX : CidrKind.SECONDARY;
    String[] numbers = shape.replace(" prefixes", "").split("x", -1);
    int enis = Integer.parseInt(numbers[0]);
    int perEni = Integer.parseInt(numbers[1]);
    int addresses = enis * perEni * (kind == CidrKind.PREFIX ? 16 : 1);
    int pods = addresses * 95 / 100;
    Duration period = Duration.ofSeconds(cooldown);
    clock.step = 2 * period.toNanos() / (addresses - pods);
    store = DataStore.inMemory(clock, kind, new CooldownRule(period, Duration.ZERO));
    NodeStores.addInterfaces(store, kind, enis, perEni);
    NodeStores.fill(store, 0, pods);
  }

  @Benchmark
  public CompletionStage<StoreReleaseOutcome> assignAndRelease() {
    clock.nanos += clock.step;
    store.assign(key, metadata, IpFamily.IPV4);
    return store.release(key);
  }
}
