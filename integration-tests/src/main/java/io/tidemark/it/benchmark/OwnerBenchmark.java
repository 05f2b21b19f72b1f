package io.tidemark.it.benchmark;

import io.tidemark.agent.Denial;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.IpamBuilder;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.crd.CrdMode;
import io.tidemark.agent.crd.CrdNode;
import io.tidemark.agent.crd.LocalInterfaces;
import io.tidemark.agent.hostscope.HostRange;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.resource.ParsedResource;
import io.tidemark.time.SystemTime;
import io.tidemark.time.ThreadTaskScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * P4: what is found by its owner among 65,536 addresses: the address that the node's object keeps
 * for an owner (mode crd), allocated and released, and all addresses of an owner, released (aim:
 * 200 ns for each search). Run it by {@code .ci/benchmarks agent}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 2, timeUnit = TimeUnit.MILLISECONDS, time = 500)
@Measurement(iterations = 10, timeUnit = TimeUnit.MILLISECONDS, time = 150)
public class OwnerBenchmark {
  private static final PoolName POOL = new PoolName("default");
  private static final Cidr BLOCK = Cidr.parse("10.16.0.0/16");
  private static final int SIZE = 1 << 16;

  private final ThreadTaskScheduler scheduler =
      ThreadTaskScheduler.start("timer", SystemTime.instance());
  private Ipam reserved = Ipam.builder(scheduler, new SplittableRandom(1)).build();
  private Ipam used = reserved;

  /** Shows one pool whose every address is reserved, and fills another one. */
  @Setup
  public void fill() {
    CrdNode.Settings settings =
        new CrdNode.Settings(
            "n",
            CrdMode.CRD,
            Optional.empty(),
            POOL,
            Set.of(IpFamily.IPV4),
            Duration.ofMinutes(3),
            List.of());
    IpamBuilder builder = BenchmarkPods.builder(scheduler, 0);
    CrdNode node =
        CrdNode.of(
            settings, LocalInterfaces.ALL, SystemTime.instance(), new SplittableRandom(1), builder);
    reserved = builder.build();
    node.serve(reserved);
    node.applied(reservedPool());
    used = BenchmarkPods.builder(scheduler, 0).pool(POOL, HostRange.of(BLOCK, 0)).build();
    BenchmarkPods.fill(used, POOL, SIZE - 100);
  }

  private static NodeResource reservedPool() {
    StringBuilder pool = new StringBuilder();
    for (int i = 0; i < SIZE; i++) {
      pool.append(i == 0 ? "" : ",")
          .append("\"%s\":{\"owner\":\"benchmark/pod-%d\"}".formatted(BLOCK.address(i), i));
    }
    String text =
        "{\"apiVersion\":\"cilium.io/v2\",\"kind\":\"CiliumNode\",\"metadata\":{\"name\":\"n\"},\"spec\":{\"ipam\":{\"pool\":{"
            + pool
            + "}}}}";
    ParsedResource<NodeResource> parsed = NodeResourceJson.parse(text, "benchmark");
    if (parsed instanceof ParsedResource.Valid<NodeResource> valid) {
      return valid.resource();
    }
    throw new IllegalStateException(parsed.toString());
  }

  /** Ends the timer. */
  @TearDown
  public void close() {
    scheduler.close();
  }

  @Benchmark
  public Optional<Denial> allocateReserved() {
    return BenchmarkPods.comeAndGo(reserved, "benchmark/pod-60000", POOL);
  }

  @Benchmark
  public int releaseByOwner() {
    BenchmarkPods.come(used, "benchmark/pod", POOL);
    return used.releaseAll("benchmark/pod");
  }
}
