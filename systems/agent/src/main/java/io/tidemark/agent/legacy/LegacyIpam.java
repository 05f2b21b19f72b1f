package io.tidemark.agent.legacy;

import io.tidemark.agent.Allocation;
import io.tidemark.agent.Denial;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.IpamDump;
import io.tidemark.agent.Lease;
import io.tidemark.agent.PairAllocation;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.PoolSnapshot;
import io.tidemark.agent.UpstreamSync;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The facade of Cilium 1.6 on an {@link Ipam} (allocators 13). Every call is about the default
 * pool, except the release by an owner's name, which is about all pools. Thread-safe; only {@link
 * #reserveLocalRoutes()} can block, in its {@link RouteSource}.
 */
public final class LegacyIpam {
  private static final Logger LOG = LoggerFactory.getLogger(LegacyIpam.class);

  private final Ipam ipam;
  private final PoolName pool;
  private final RouteSource routes;
  private final Object reserving = new Object();
  private final Object releasing = new Object();
  private volatile IpBlacklist blacklist = IpBlacklist.EMPTY;

  /**
   * A facade.
   *
   * @param pool the default pool of {@code ipam}
   * @param routes whose destinations are reserved; {@link RouteSource#NONE} for {@code
   *     blacklist-conflicting-routes=false}
   */
  public LegacyIpam(Ipam ipam, PoolName pool, RouteSource routes) {
    this.ipam = ipam;
    this.pool = pool;
    this.routes = routes;
  }

  // ---- allocate

  /** Allocates this address. */
  public Allocation allocateIp(IpAddress ip, String owner) {
    return ipam.allocate(ip, owner, pool, UpstreamSync.NOW);
  }

  /** Allocates the address that the text is. */
  public Allocation allocateIpString(String ipAddr, String owner) {
    return ipam.allocate(ipAddr, owner, pool, UpstreamSync.NOW);
  }

  /** Allocates any address of a family. */
  public Allocation allocateNextFamily(IpFamily family, String owner) {
    return ipam.allocateNext(family, owner, pool, UpstreamSync.NOW);
  }

  /**
   * Allocates any address of a family, or of each.
   *
   * @param family {@code ipv4} or {@code ipv6}; empty for each that is enabled, all or none
   */
  public PairAllocation allocateNext(String family, String owner) {
    if (family.isEmpty()) {
      return ipam.allocateNextPair(owner, pool, UpstreamSync.NOW);
    }
    Optional<IpFamily> asked = family(family);
    if (asked.isEmpty()) {
      return new Allocation.Denied(Denial.unknownFamily(family));
    }
    Allocation next = allocateNextFamily(asked.get(), owner);
    return next instanceof Allocation.Granted granted ? alone(granted) : (Allocation.Denied) next;
  }

  private static Optional<IpFamily> family(String word) {
    return switch (word) {
      case "ipv4" -> Optional.of(IpFamily.IPV4);
      case "ipv6" -> Optional.of(IpFamily.IPV6);
      default -> Optional.empty();
    };
  }

  private static PairAllocation.Granted alone(Allocation.Granted granted) {
    return granted.result().ip().family() == IpFamily.IPV4
        ? new PairAllocation.Granted(Optional.of(granted.result()), Optional.empty())
        : new PairAllocation.Granted(Optional.empty(), Optional.of(granted.result()));
  }

  /**
   * Allocates as {@link #allocateNext} does and starts an expiration timer of each address.
   *
   * @param timeout zero for no timers
   */
  public PairAllocation allocateNextWithExpiration(String family, String owner, Duration timeout) {
    return ipam.leased(allocateNext(family, owner), timeout);
  }

  // ---- release

  /** Releases an address; why that was not done, such as that it is not allocated, or empty. */
  public Optional<Denial> releaseIp(IpAddress ip) {
    synchronized (releasing) {
      Optional<String> owner = ipam.ownerOf(ip, pool);
      Optional<Denial> refusal = ipam.release(ip, pool);
      return refusal.isEmpty() && owner.isEmpty()
          ? Optional.of(Denial.notAllocated(ip.unmapped(), pool))
          : refusal;
    }
  }

  /**
   * Releases an address, or every address of an owner.
   *
   * @param releaseArg an address, or the exact name of the owner; a name that is an address is one
   * @return why nothing was released, or empty
   */
  public Optional<Denial> releaseIpString(String releaseArg) {
    Optional<IpAddress> ip = IpAddress.tryParse(releaseArg);
    if (ip.isPresent()) {
      return releaseIp(ip.get());
    }
    return ipam.releaseAll(releaseArg) > 0
        ? Optional.empty()
        : Optional.of(Denial.unknownOwner(releaseArg));
  }

  // ---- expiration

  /** Starts a timer: unless it is stopped in time, the address is released. */
  public Lease.Start startExpirationTimer(IpAddress ip, Duration timeout) {
    return ipam.startLease(ip, pool, timeout);
  }

  /** Stops the timer with this id; why it was not stopped, or empty. */
  public Optional<Denial> stopExpirationTimer(IpAddress ip, UUID allocationUuid) {
    return ipam.stopLease(new Lease(allocationUuid, ip, pool));
  }

  // ---- blacklist

  /** Ensures that an address is never handed out, also when the node gets it later. */
  public void blacklistIp(IpAddress ip, String owner) {
    blacklistIpNet(Cidr.single(ip), owner);
  }

  /** Ensures that no address of a network is handed out. */
  public void blacklistIpNet(Cidr ipNet, String owner) {
    synchronized (reserving) {
      apply(blacklist.with(ipNet.unmapped(), owner));
    }
  }

  /** The addresses that are reserved now. */
  public IpBlacklist blacklist() {
    return blacklist;
  }

  /**
   * Reserves the destinations of the machine's IPv4 routes, except those to its own pods, the
   * default route and black holes. Takes the place of what an earlier call reserved. May block.
   */
  public void reserveLocalRoutes() {
    Optional<RouteSource.Routes> read = routes.read();
    if (read.isEmpty()) {
      LOG.warn("No routes are reserved, because the device of the pods is not there");
      return;
    }
    SortedMap<Cidr, String> present = new TreeMap<>();
    for (LocalRoute each : read.get().ipv4()) {
      if (each.conflicts(read.get().hostDevice())) {
        Cidr destination = each.destination().orElseThrow();
        present.put(destination, "local route: " + destination);
      }
    }
    synchronized (reserving) {
      apply(blacklist.withRoutes(present));
    }
  }

  /** Reserves what is new before it gives back what is not reserved any more. */
  private void apply(IpBlacklist next) {
    List<IpNetWithOwner> before = blacklist.all();
    blacklist = next;
    for (IpNetWithOwner each : next.all()) {
      if (!before.contains(each)) {
        ipam.exclude(each.ipNet(), each.owner(), pool);
      }
    }
    for (IpNetWithOwner each : before) {
      if (next.owner(each.ipNet()).isEmpty()) {
        ipam.include(each.ipNet(), pool);
      }
    }
  }

  // ---- state

  /** The allocations. */
  public IpamDump dump() {
    return ipam.dump();
  }

  /** Owners, timers and reservations, for people who look for a fault. */
  public List<PoolSnapshot> debugStatus() {
    return ipam.snapshot();
  }
}
