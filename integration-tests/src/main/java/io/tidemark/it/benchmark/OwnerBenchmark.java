package io.tidemark.it.benchmark;

import io.tidemark.agent.Denial;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.IpamBuilder;
import io.tidemark.agent.crd.CrdMode;
import io.tidemark.agent.crd.CrdNode;
import io.tidemark.agent.hostscope.HostRange;
import io.tidemark.ip.Cidr;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.resource.ParsedResource;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * P4: what is found by its owner among 65,536 addresses: the address that the node's object keeps
 * for an owner (mode crd), allocated and released, and all addresses of an owner, released (aim:
 * 200 ns for each search). Run it by {@code .ci/benchmarks agent}.
 */
public class OwnerBenchmark extends PodsBenchmark {
  private static final Cidr BLOCK = Cidr.parse("10.16.0.0/16");
  private static final int SIZE = 1 << 16;

  private @Nullable Ipam used;

  /** One pool whose every address is reserved; another one is filled. */
  @Override
  Ipam filled() {
    IpamBuilder builder = BenchmarkPods.builder(scheduler, 0);
    CrdNode node = node(CrdMode.CRD, builder);
    Ipam reserved = builder.build();
    node.serve(reserved);
    node.applied(reservedPool());
    used = BenchmarkPods.builder(scheduler, 0).pool(POOL, HostRange.of(BLOCK, 0)).build();
    BenchmarkPods.fill(used, POOL, SIZE - 100);
    return reserved;
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

  @Benchmark
  public Optional<Denial> allocateReserved() {
    return comeAndGo("benchmark/pod-60000");
  }

  @Benchmark
  public int releaseByOwner() {
    Ipam pool = Objects.requireNonNull(used);
    BenchmarkPods.come(pool, "benchmark/pod", POOL);
    return pool.releaseAll("benchmark/pod");
  }
}
