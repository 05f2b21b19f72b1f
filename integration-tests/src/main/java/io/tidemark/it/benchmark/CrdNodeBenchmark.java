package io.tidemark.it.benchmark;

import io.tidemark.agent.Denial;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.IpamBuilder;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.crd.CrdMode;
import io.tidemark.agent.crd.CrdNode;
import io.tidemark.agent.crd.LocalInterfaces;
import io.tidemark.ip.IpFamily;
import io.tidemark.resource.NodeResource;
import io.tidemark.time.SystemTime;
import io.tidemark.time.ThreadTaskScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * P3: the pool of an EC2 node with 16 interfaces, 99.9 % in use: allocating an address and
 * releasing it (aim: 300 ns), and a new version of the node's object with one address more or less
 * (aim at 4,096 addresses: 200 µs). Run it by {@code .ci/benchmarks agent}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 2, timeUnit = TimeUnit.MILLISECONDS, time = 500)
@Measurement(iterations = 10, timeUnit = TimeUnit.MILLISECONDS, time = 150)
public class CrdNodeBenchmark {
  private static final PoolName POOL = new PoolName("default");
  private static final int INTERFACES = 16;

  @Param({"4096", "65536"})
  public int addresses;

  /** Seconds that a released address pauses: with some, what is handed out has cooled. */
  @Param({"0", "130"})
  public int cooldown;

  private final ThreadTaskScheduler scheduler =
      ThreadTaskScheduler.start("timer", SystemTime.instance());
  private @Nullable CrdNode node;
  private @Nullable Ipam ipam;
  private NodeResource object = NodeResource.named("n");
  private NodeResource other = object;

  /** Shows the pool and fills it. */
  @Setup
  public void fill() {
    object = NodeResources.full(INTERFACES, addresses / INTERFACES);
    other = NodeResources.full(INTERFACES, addresses / INTERFACES - 1);
    CrdNode.Settings settings =
        new CrdNode.Settings(
            "n",
            CrdMode.ENI,
            Optional.empty(),
            POOL,
            Set.of(IpFamily.IPV4),
            Duration.ofMinutes(3),
            List.of());
    IpamBuilder builder = BenchmarkPods.builder(scheduler, cooldown);
    node =
        CrdNode.of(
            settings, LocalInterfaces.ALL, SystemTime.instance(), new SplittableRandom(1), builder);
    ipam = builder.build();
    node.serve(ipam);
    object = node.applied(object);
    BenchmarkPods.fill(ipam, POOL, addresses - addresses / 1000);
    node.restored();
  }

  /** Ends the timer. */
  @TearDown
  public void close() {
    scheduler.close();
  }

  @Benchmark
  public Optional<Denial> allocateAndRelease() {
    return BenchmarkPods.comeAndGo(Objects.requireNonNull(ipam), "benchmark/pod", POOL);
  }

  /** A version with the pool of another size, and what is to be written into it. */
  @Benchmark
  public NodeResource event() {
    NodeResource written = Objects.requireNonNull(node).applied(other);
    other = object;
    object = written;
    return written;
  }
}
