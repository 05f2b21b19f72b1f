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
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * All subnets and addresses of one node, with an excluded address. Aim: 1 µs. Run it by {@code
 * .ci/benchmarks node-id}.
 */
public class SubnetPlanBenchmark extends ThroughputBenchmark {
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
