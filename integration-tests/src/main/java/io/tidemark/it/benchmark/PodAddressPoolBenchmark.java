package io.tidemark.it.benchmark;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.nodeid.local.PodAddressPool;
import java.time.Duration;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Handing out an address of a pod subnet and taking it back, by how full the subnet is. Aim, up to
 * 2^24 addresses: 60 ns at 99 %, flat. Run it by {@code .ci/benchmarks node-id}.
 */
public class PodAddressPoolBenchmark extends ThroughputBenchmark {
  @Param({"10.1.5.0/24", "10.1.0.0/16", "2001:db8::/64"})
  public String subnet = "";

  @Param({"0", "50", "99"})
  public int percent;

  private PodAddressPool pool = new PodAddressPool(Cidr.parse("10.1.5.0/24"), Duration.ZERO);

  /** Takes addresses at random until so many are; of more than 2^16 as many as of 2^16. */
  @Setup
  public void fill() {
    Cidr cidr = Cidr.parse(subnet);
    pool = new PodAddressPool(cidr, Duration.ZERO);
    int size = (int) Math.min(cidr.sizeSaturated(), 1 << 16);
    SplittableRandom random = new SplittableRandom(1);
    while (pool.stats().used() < (size - 4L) * percent / 100) {
      pool.take(cidr.address(random.nextInt(size)));
    }
  }

  @Benchmark
  public IpAddress allocateAndRelease() {
    IpAddress address = pool.allocate(0).orElseThrow();
    pool.release(address, 0);
    return address;
  }
}
