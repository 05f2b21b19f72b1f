package io.tidemark.it.benchmark;

import io.tidemark.agent.Denial;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.IpamBuilder;
import io.tidemark.agent.crd.CrdMode;
import io.tidemark.agent.crd.CrdNode;
import io.tidemark.resource.NodeResource;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/**
 * P3: the pool of an EC2 node with 16 interfaces, 99.9 % in use: allocating an address and
 * releasing it (aim: 300 ns), and a new version of the node's object with one address more or less
 * (aim at 4,096 addresses: 200 µs). Run it by {@code .ci/benchmarks agent}.
 */
public class CrdNodeBenchmark extends PodsBenchmark {
  private static final int INTERFACES = 16;

  @Param({"4096", "65536"})
  public int addresses;

  /** Seconds that a released address pauses: with some, what is handed out has cooled. */
  @Param({"0", "130"})
  public int cooldown;

  private @Nullable CrdNode node;
  private NodeResource object = NodeResource.named("n");
  private NodeResource other = object;

  @Override
  Ipam filled() {
    object = NodeResources.full(INTERFACES, addresses / INTERFACES);
    other = NodeResources.full(INTERFACES, addresses / INTERFACES - 1);
    IpamBuilder builder = BenchmarkPods.builder(scheduler, cooldown);
    CrdNode made = node(CrdMode.ENI, builder);
    Ipam ipam = builder.build();
    made.serve(ipam);
    object = made.applied(object);
    BenchmarkPods.fill(ipam, POOL, addresses - addresses / 1000);
    made.restored();
    node = made;
    return ipam;
  }

  @Benchmark
  public Optional<Denial> allocateAndRelease() {
    return comeAndGo("benchmark/pod");
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
