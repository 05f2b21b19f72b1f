package io.tidemark.it.benchmark;

import io.tidemark.config.SharedKey.Profile;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.nodeid.NodeId;
import io.tidemark.nodeid.NodeIdRanges;
import io.tidemark.nodeid.NodeIdSubnets;
import io.tidemark.nodeid.SubnetPlan;
import java.util.List;
import java.util.Optional;
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

/**
 * All subnets and addresses of one node, with an excluded address. Aim: 1 µs. Run it by {@code
 * .ci/benchmarks node-id}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 2, timeUnit = TimeUnit.MILLISECONDS, time = 500)
@Measurement(iterations = 10, timeUnit = TimeUnit.MILLISECONDS, time = 150)
public class SubnetPlanBenchmark {
  @Param({"IPv4", "IPv6"})
  public String family = "";

  private NodeIdSubnets subnets = subnets(false);
  private int next;

  @Setup
  public void choose() {
    subnets = subnets(family.equals("IPv6"));
  }

  /** Of one id after the other. */
  @Benchmark
  public SubnetPlan plan() {
    next = (next & 127) + 1;
    return subnets.plan(new NodeId(next));
  }

  private static NodeIdSubnets subnets(boolean ipv6) {
    String gateway = ipv6 ? "fe10:f00d::9" : "192.168.16.9";
    return new NodeIdSubnets(
        new NodeIdRanges(
            Cidr.parse(ipv6 ? "fe11:f00d::/90" : "10.1.0.0/16"),
            ipv6 ? 120 : 24,
            Cidr.parse(ipv6 ? "fe30:f00d::/90" : "172.30.0.0/16"),
            ipv6 ? 126 : 24,
            Optional.of(Cidr.parse(ipv6 ? "fe10:f00d::/90" : "192.168.16.0/24")),
            Cidr.parse(ipv6 ? "fe20:f00d::/120" : "192.168.30.0/24"),
            Cidr.parse(ipv6 ? "2096::/110" : "10.96.0.0/12"),
            List.of(IpAddress.parse(gateway)),
            Profile.TIDEMARK));
  }
}
