package io.tidemark.agent.restore;

import io.tidemark.agent.Allocation;
import io.tidemark.agent.Denial;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.UpstreamSync;
import io.tidemark.agent.restore.Endpoint.Address;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Allocates again what was in use before a restart. First all endpoints, then the addresses of the
 * node itself, then {@link #finished()}; requests come after that. Until then nothing is published.
 * Thread-safe, as {@link Ipam} is.
 */
public final class Restoration {
  private static final Logger LOG = LoggerFactory.getLogger(Restoration.class);
  private static final String SUFFIX = " [restored]";

  private final Ipam ipam;
  private final PoolName defaultPool;
  private final boolean keepsMissing;

  /**
   * A restoration.
   *
   * @param ipam with nothing allocated
   * @param defaultPool of endpoints whose pool was not noted, and of the node's own addresses
   * @param keepsMissing whether an endpoint keeps an IPv4 address that its pool lists no more
   *     ({@code bypass-ip-availability-upon-restore})
   */
  public Restoration(Ipam ipam, PoolName defaultPool, boolean keepsMissing) {
    this.ipam = ipam;
    this.defaultPool = defaultPool;
    this.keepsMissing = keepsMissing;
  }

  /**
   * Allocates the addresses of an endpoint, all of them or none.
   *
   * @return why it cannot keep them; empty when it does
   */
  public Optional<Denial> endpoint(Endpoint endpoint) {
    Optional<Denial> ipv6 = endpoint.ipv6().flatMap(each -> taken(endpoint, each));
    if (ipv6.isPresent()) {
      return ipv6;
    }
    Optional<Denial> ipv4 = endpoint.ipv4().flatMap(each -> taken(endpoint, each));
    if (ipv4.isPresent() && !isMissing(endpoint, ipv4.get())) {
      endpoint.ipv6().ifPresent(each -> ipam.release(each.ip(), pool(each)));
      return ipv4;
    }
    ipv4.ifPresent(
        denial ->
            LOG.warn(
                "An endpoint keeps an address that its pool does not list. {}", denial.text()));
    return Optional.empty();
  }

  private Optional<Denial> taken(Endpoint endpoint, Address address) {
    Allocation allocation =
        ipam.allocate(address.ip(), endpoint.name() + SUFFIX, pool(address), UpstreamSync.DEFER);
    return allocation instanceof Allocation.Denied denied
        ? Optional.of(new Denial.NotRestored(endpoint.name(), denied.denial()))
        : Optional.empty();
  }

  /** Whether the only fault of the IPv4 address is that its pool does not have it. */
  private boolean isMissing(Endpoint endpoint, Denial denial) {
    return keepsMissing
        && endpoint.ipv4().map(Address::ip).map(IpAddress::unmapped).stream()
            .anyMatch(ip -> denial.causedBy(new Denial.NotAvailableInPool(ip)));
  }

  private PoolName pool(Address address) {
    return address.pool().isGiven() ? address.pool() : defaultPool;
  }

  /**
   * Allocates an address of the node itself, such as that of owner {@code router}, {@code health}
   * or {@code ingress}: the former one where it can be allocated, else any. Of two former ones that
   * differ, what the node noted is preferred.
   *
   * @param noted what a file of the node says
   * @param published what the node's object says
   */
  public Allocation own(
      String owner, IpFamily family, Optional<IpAddress> noted, Optional<IpAddress> published) {
    if (noted.isPresent() && published.isPresent() && !noted.equals(published)) {
      LOG.warn(
          "The node noted another address than its object has. owner={} noted={} published={}",
          owner,
          noted.get(),
          published.get());
    }
    return Stream.of(noted, published)
        .flatMap(Optional::stream)
        .distinct()
        .filter(ip -> ip.unmapped().family() == family)
        .map(ip -> ipam.allocate(ip, owner, defaultPool, UpstreamSync.DEFER))
        .filter(Allocation.Granted.class::isInstance)
        .findFirst()
        .orElseGet(() -> ipam.allocateNext(family, owner, defaultPool, UpstreamSync.DEFER));
  }

  /** Everything is allocated again: from now on the agent publishes. */
  public void finished() {
    for (IpFamily family : IpFamily.values()) {
      ipam.restoreFinished(family);
    }
  }
}
