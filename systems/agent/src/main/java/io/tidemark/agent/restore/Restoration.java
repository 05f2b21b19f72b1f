package io.tidemark.agent.restore;

import io.tidemark.agent.Allocation;
import io.tidemark.agent.Denial;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.UpstreamSync;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Allocates again what was in use before a restart: first the addresses that are known, those of
 * the router among them, then addresses of the node itself that are not, then {@link #finished()};
 * requests come after that. Until then nothing is published. Thread-safe, as {@link Ipam} is.
 */
public final class Restoration {
  private static final Logger LOG = LoggerFactory.getLogger(Restoration.class);

  private final Ipam ipam;
  private final PoolName defaultPool;

  /**
   * A restoration.
   *
   * @param ipam with nothing allocated
   * @param defaultPool of addresses whose pool was not noted, and of the node's own addresses
   */
  public Restoration(Ipam ipam, PoolName defaultPool) {
    this.ipam = ipam;
    this.defaultPool = defaultPool;
  }

  /**
   * Gives an owner an address that it had, also one that is withheld or that its pool does not list
   * any more: a pod uses it (AM21).
   *
   * @param pool {@link PoolName#NOT_GIVEN} when that was not noted: the default pool
   * @return why it cannot have it, which is logged; empty when it has it
   */
  public Optional<Denial> known(String owner, IpAddress ip, PoolName pool) {
    Allocation end = ipam.restore(ip, owner, pool.isGiven() ? pool : defaultPool);
    if (end instanceof Allocation.Denied denied) {
      Denial denial = Denial.notRestored(owner, denied.denial());
      LOG.warn("An address is in use and cannot be restored. ip={} {}", ip, denial.text());
      return Optional.of(denial);
    }
    return Optional.empty();
  }

  /**
   * Allocates an address of the node itself, such as that of owner {@code health} or {@code
   * ingress}: the former one where it can be allocated, else any. Of two former ones that differ,
   * what the node noted is preferred.
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
