package io.tidemark.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.hostscope.HostRange;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.metrics.Metric;
import io.tidemark.metrics.TestMeters;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;

/** A node with its facade, in virtual time, and everything that the facade reports. */
public final class TestNode implements Upstream {
  static final PoolName DEFAULT = new PoolName("default");

  final VirtualTime time = new VirtualTime(0);
  final Ipam ipam;
  final List<String> published = new ArrayList<>();

  private final TestMeters measured = new TestMeters();

  private TestNode(UnaryOperator<IpamBuilder> settings) {
    IpamBuilder builder = Ipam.builder(time, new Random(1)).cooling(CoolingRule.OFF);
    ipam = settings.apply(builder.metrics(measured.meters).upstream(this)).build();
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
    int available = (int) measured.value(Metric.AGENT_AVAILABLE, family);
    int used = (int) measured.value(Metric.AGENT_USED, family);
    int cooling = (int) measured.value(Metric.AGENT_COOLING, "default", family);
    return new AddressCounts(
        available,
        used - cooling,
        cooling,
        (int) measured.value(Metric.AGENT_EXCLUDED, "default", family),
        (int) measured.value(Metric.AGENT_CAPACITY, family) - available - used);
  }

  /** Addresses allocated or released. */
  int events(String action, String family) {
    return measured.all(Metric.AGENT_EVENTS).getOrDefault(action + " " + family, 0.0).intValue();
  }

  /** Requests without an address. */
  int denials(String outcome, String family) {
    return measured.all(Metric.AGENT_ATTEMPTS).getOrDefault(family + " " + outcome, 0.0).intValue();
  }

  /** How many addresses that had been released before were allocated again. */
  int reuses() {
    return (int) measured.value(Metric.AGENT_REUSE_DISTANCE, "default", "ipv4");
  }

  /** The time from their releases to that, together. */
  Duration reuseTime() {
    return measured.time(Metric.AGENT_REUSE_DISTANCE, "default", "ipv4");
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
  public synchronized void changed() {
    published.add("changed");
  }

  @Override
  public synchronized void restoreFinished(IpFamily family) {
    published.add("restored " + family);
  }
}
