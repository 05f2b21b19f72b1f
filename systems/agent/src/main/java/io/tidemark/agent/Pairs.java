package io.tidemark.agent;

import io.tidemark.agent.Allocation.Denied;
import io.tidemark.agent.Allocation.Granted;
import io.tidemark.ip.IpFamily;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Requests for an address of each enabled family: all of them or none. */
final class Pairs {
  /** IPv6 is taken first, and given back when there is no IPv4 address. */
  static final List<IpFamily> ORDER = List.of(IpFamily.IPV6, IpFamily.IPV4);

  private final Ipam ipam;

  Pairs(Ipam ipam) {
    this.ipam = ipam;
  }

  PairAllocation allocate(List<IpFamily> families, Function<IpFamily, Allocation> next) {
    List<AllocationResult> held = new ArrayList<>();
    for (IpFamily family : families) {
      Allocation allocation = next.apply(family);
      if (allocation instanceof Denied denied) {
        held.forEach(this::giveBack);
        return denied;
      }
      held.add(((Granted) allocation).result());
    }
    return pair(held);
  }

  /** A lease of each address; if one cannot start, all addresses are released. */
  PairAllocation leased(PairAllocation.Granted pair, Duration timeout) {
    List<AllocationResult> held =
        Stream.of(pair.ipv4(), pair.ipv6()).flatMap(Optional::stream).toList();
    List<AllocationResult> leased = new ArrayList<>();
    for (AllocationResult each : held) {
      Lease.Start start = ipam.startLease(each.ip(), each.pool(), timeout);
      if (start instanceof Lease.Start.Refused refused) {
        held.forEach(this::giveBack);
        return new Denied(refused.denial());
      }
      leased.add(each.with(((Lease.Start.Started) start).lease()));
    }
    return pair(leased);
  }

  private void giveBack(AllocationResult result) {
    ipam.release(result.ip(), result.pool());
  }

  private static PairAllocation pair(List<AllocationResult> results) {
    return new PairAllocation.Granted(
        ofFamily(results, IpFamily.IPV4), ofFamily(results, IpFamily.IPV6));
  }

  private static Optional<AllocationResult> ofFamily(
      List<AllocationResult> results, IpFamily family) {
    return results.stream().filter(each -> each.ip().family() == family).findFirst();
  }
}
