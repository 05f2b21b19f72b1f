package io.tidemark.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.hostscope.HostRange;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.metrics.AllocatorMetrics;
import io.tidemark.metrics.NoMetrics;
import io.tidemark.metrics.TriggerMetrics;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** A node with its facade, in virtual time, and everything that the facade reports. */
public final class TestNode implements AllocatorMetrics, Upstream {
  static final PoolName DEFAULT = new PoolName("default");

  final VirtualTime time = new VirtualTime(0);
  final Ipam ipam;
  final List<String> published = new ArrayList<>();

  /** Seconds since the last release of each address that was allocated; -1 without one. */
  final List<Long> reused = new ArrayList<>();

  private final Map<String, Integer> events = new TreeMap<>();
  private final Map<String, Supplier<AddressCounts>> pools = new TreeMap<>();

  private TestNode(UnaryOperator<IpamBuilder> settings) {
    IpamBuilder builder = Ipam.builder(time, new Random(1)).cooling(CoolingRule.OFF);
    ipam = settings.apply(builder.metrics(this).upstream(this)).build();
  }

  /** A node set up by {@code settings}; without a pause unless they set one. */
  static TestNode with(UnaryOperator<IpamBuilder> settings) {
    return new TestNode(settings);
  }

  /** A node in host-scope mode with these blocks. */
  static TestNode hostScope(String... blocks) {
    return with(builder -> ranges(builder, blocks));
  }

  /** A node in host-scope mode with a pause. */
  static TestNode cooling(Duration pause, Duration floor, String... blocks) {
    return with(builder -> ranges(builder, blocks).cooling(new CoolingRule(pause, floor)));
  }

  static IpamBuilder ranges(IpamBuilder builder, String... blocks) {
    for (String block : blocks) {
      builder.allocator(range(block));
    }
    return builder;
  }

  static HostRange range(String block) {
    return HostRange.of(Cidr.parse(block), 0);
  }

  // ---- requests that are expected to end one way

  AllocationResult take(String ip, String owner) {
    return granted(ipam.allocate(ip, owner, DEFAULT, UpstreamSync.NOW));
  }

  AllocationResult next(IpFamily family, String owner) {
    return granted(ipam.allocateNext(family, owner, DEFAULT, UpstreamSync.NOW));
  }

  String next(String owner) {
    return next(IpFamily.IPV4, owner).ip().toString();
  }

  Denial refused(String ip) {
    return denied(ipam.allocate(ip, "refused", DEFAULT, UpstreamSync.NOW));
  }

  Denial refusedNext() {
    return denied(ipam.allocateNext(IpFamily.IPV4, "refused", DEFAULT, UpstreamSync.NOW));
  }

  void release(String ip) {
    assertThat(ipam.release(IpAddress.parse(ip), DEFAULT)).isEmpty();
  }

  void exclude(String block, String owner) {
    ipam.exclude(block(block), owner, DEFAULT);
  }

  void include(String block) {
    ipam.include(block(block), DEFAULT);
  }

  Lease lease(String ip, Duration timeout) {
    Lease.Start start = ipam.startLease(IpAddress.parse(ip), DEFAULT, timeout);
    assertThat(start).isInstanceOf(Lease.Start.Started.class);
    return ((Lease.Start.Started) start).lease();
  }

  void pass(Duration duration) {
    time.runUntil(time.nanos() + duration.toNanos());
  }

  AddressCounts counts(String family) {
    return Objects.requireNonNull(pools.get(family + " default"), family).get();
  }

  int events(String event) {
    return events.getOrDefault(event, 0);
  }

  /** Requires that an allocation succeeded. */
  public static AllocationResult granted(Allocation allocation) {
    assertThat(allocation).isInstanceOf(Allocation.Granted.class);
    return ((Allocation.Granted) allocation).result();
  }

  /** Requires that an allocation, or how a lease ended, is a denial. */
  public static Denial denied(Object ending) {
    assertThat(ending).isInstanceOf(Allocation.Denied.class);
    return ((Allocation.Denied) ending).denial();
  }

  static Cidr block(String text) {
    return text.contains("/") ? Cidr.parse(text) : Cidr.single(IpAddress.parse(text));
  }

  // ---- what the facade reports

  @Override
  public void pool(String family, String pool, Supplier<AddressCounts> counts) {
    pools.put(family + " " + pool, counts);
  }

  @Override
  public void blocks(String family, String pool, Supplier<BlockCounts> counts) {}

  @Override
  public void offerRebuilt() {}

  @Override
  public TriggerMetrics sync() {
    return NoMetrics.TRIGGER;
  }

  @Override
  public synchronized void allocated(String family, String pool, long reuseNanos) {
    events.merge("allocate " + family, 1, Integer::sum);
    reused.add(reuseNanos < 0 ? -1 : Duration.ofNanos(reuseNanos).toSeconds());
  }

  @Override
  public synchronized void released(String family) {
    events.merge("release " + family, 1, Integer::sum);
  }

  @Override
  public synchronized void denied(String family, boolean exhausted) {
    events.merge((exhausted ? "exhausted " : "error ") + family, 1, Integer::sum);
  }

  @Override
  public synchronized void changed() {
    published.add("changed");
  }

  @Override
  public synchronized void restoreFinished(IpFamily family) {
    published.add("restored " + family);
  }
}
