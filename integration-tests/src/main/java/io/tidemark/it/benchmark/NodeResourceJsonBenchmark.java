package io.tidemark.it.benchmark;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.resource.ParsedResource;
import io.tidemark.resource.PodIpPool;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Reading, printing and changing a node resource: one with 8 addresses, and one with 4,080 on 15
 * interfaces, all in use (594 kB of text). The Go reference needs about 2.5 ms to print the latter.
 * Run it by {@code .ci/benchmarks NodeResourceJson}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class NodeResourceJsonBenchmark {
  @Param({"8", "4080"})
  public int addresses;

  private NodeResource node = NodeResource.named("n");
  private String text = "";
  private PodIpPool changedPool = PodIpPool.EMPTY;
  private Map<IpAddress, HandshakeState> marks = Map.of();
  private long version;

  @Setup
  public void prepare() {
    node = addresses == 8 ? NodeResources.full(1, 8) : NodeResources.full(15, 272);
    text = NodeResourceJson.print(node);
    Map<String, AddressSet> pool = new HashMap<>(node.pool().byResource());
    pool.merge("eni-new", AddressSet.of(IpAddress.parse("10.10.1.1")), AddressSet::plus);
    changedPool = PodIpPool.of(pool);
    marks = Map.of(IpAddress.parse("10.10.128.3"), HandshakeState.MARKED_FOR_RELEASE);
  }

  @Benchmark
  public String print() {
    return NodeResourceJson.print(node);
  }

  @Benchmark
  public ParsedResource<NodeResource> parse() {
    return NodeResourceJson.parse(text, "benchmark");
  }

  /** Reading and every view that the engine asks for. */
  @Benchmark
  public void parseAndView(Blackhole hole) {
    NodeResource read =
        ((ParsedResource.Valid<NodeResource>) NodeResourceJson.parse(text, "benchmark")).resource();
    hole.consume(read.ipam());
    hole.consume(read.pool());
    hole.consume(read.used());
    hole.consume(read.releaseIps());
    hole.consume(read.eniStatus());
  }

  /** The work of one sync to the store: both halves changed and compared, and a new version. */
  @Benchmark
  public NodeResource sync() {
    NodeResource status = node.withReleaseIps(marks);
    NodeResource spec = status.withPool(changedPool);
    if (node.sameStatus(spec) || node.sameSpec(spec)) {
      throw new IllegalStateException("both halves differ");
    }
    return node.withStatusOf(spec)
        .withResourceVersion(Long.toString(++version))
        .withSpecOf(spec)
        .withResourceVersion(Long.toString(++version));
  }

  /** Comparing an object with one that was read from the same text. */
  @Benchmark
  public boolean withSameContent() {
    return node.withPool(node.pool()).sameSpec(node)
        && node.withEniStatus(node.eniStatus().orElseThrow()).sameStatus(node);
  }
}
