package io.tidemark.agent.multipool;

import io.tidemark.agent.InterfaceDetails;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.multipool.PoolCidr.State;
import io.tidemark.ip.Cidr;
import io.tidemark.time.TimeSource;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The blocks of one pool and family as the last look left them. Immutable.
 *
 * @param interfaces see {@link OfferedCidrs#interfaces}
 * @param unexplained addresses that are not handed out although nothing speaks against it
 */
record CidrReport(
    CidrStates states,
    Optional<Map<Cidr, InterfaceDetails>> interfaces,
    SortedMap<Cidr, Integer> unexplained) {
  static final CidrReport EMPTY =
      new CidrReport(CidrStates.EMPTY, Optional.empty(), Collections.emptySortedMap());

  /** All of them: those taken up first, in the operator's order. */
  List<PoolCidr> cidrs(PoolName pool, TimeSource time) {
    Stream<PoolCidr> taken = states.entries().stream().map(each -> taken(pool, each, time));
    Stream<PoolCidr> missing =
        unexplained.keySet().stream()
            .filter(cidr -> states.entries().stream().noneMatch(it -> it.cidr().equals(cidr)))
            .map(cidr -> new PoolCidr(pool, cidr, State.NOT_TAKEN, notTaken(cidr)));
    Stream<PoolCidr> dropped =
        states.dropped().stream()
            .map(cidr -> new PoolCidr(pool, cidr, State.DROPPED, "given back: it is not needed"));
    Stream<PoolCidr> rejected =
        states.rejected().entrySet().stream()
            .map(each -> rejected(pool, each.getKey(), each.getValue()));
    return Stream.of(taken, missing, dropped, rejected).flatMap(it -> it).toList();
  }

  static PoolCidr rejected(PoolName pool, Cidr cidr, Rejection why) {
    return new PoolCidr(pool, cidr, State.REJECTED, why.text());
  }

  private PoolCidr taken(PoolName pool, CidrEntry entry, TimeSource time) {
    Cidr cidr = entry.cidr();
    if (entry.withdrawn()) {
      return new PoolCidr(pool, cidr, State.WITHDRAWN, "no longer on offer, and used by pods");
    }
    if (interfaces.isPresent() && !interfaces.get().containsKey(cidr)) {
      return new PoolCidr(
          pool, cidr, State.WITHHELD, "its interface is not in the status or not here");
    }
    return switch (entry.phase()) {
      case DRAWN ->
          unexplained.containsKey(cidr)
              ? new PoolCidr(pool, cidr, State.NOT_TAKEN, notTaken(cidr))
              : new PoolCidr(pool, cidr, State.DRAWN, "");
      case QUARANTINED ->
          new PoolCidr(
              pool,
              cidr,
              State.QUARANTINED,
              "until " + end(entry, time) + " a release that began earlier can be under way");
      case FIRST, ADOPTED, ADOPTED_AGAIN ->
          new PoolCidr(pool, cidr, State.WITHHELD, "the object does not list it yet");
    };
  }

  private static Instant end(CidrEntry entry, TimeSource time) {
    long left = TimeUnit.NANOSECONDS.toMillis(entry.nanos() - time.nanos());
    return Instant.ofEpochMilli(time.epochMillis() + Math.max(0, left));
  }

  private String notTaken(Cidr cidr) {
    return "nothing speaks against " + unexplained.get(cidr) + " addresses that are not handed out";
  }
}
