package io.tidemark.daemon.cni;

import io.tidemark.agent.AgentError;
import io.tidemark.agent.Allocation;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.restore.Restoration;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The addresses of the node for health checks, held by owner {@code health} (allocators 9). */
final class HealthAddresses {
  private static final Logger LOG = LoggerFactory.getLogger(HealthAddresses.class);
  private static final String HEALTH = "health";

  private final Ipam ipam;
  private final PoolName pool;
  private final NodeNetworks networks;
  private final Restoration restoration;

  HealthAddresses(Ipam ipam, PoolName pool, NodeNetworks networks, Restoration restoration) {
    this.ipam = ipam;
    this.pool = pool;
    this.networks = networks;
    this.restoration = restoration;
  }

  /** Those of the process before stay in use, although their networks are not here yet. */
  void restore(List<IpAddress> noted) {
    noted.forEach(ip -> restoration.known(HEALTH, ip, pool));
  }

  /**
   * Takes one of each family that the node has, the former one where it can be allocated; none if a
   * family has none.
   *
   * @param noted those of the process before
   */
  List<IpAddress> take(List<IpAddress> noted) {
    List<IpAddress> taken = new ArrayList<>();
    for (IpFamily family : IpFamily.values()) {
      Optional<IpAddress> former = ofFamily(noted, family);
      if (former.filter(this::isHeld).isPresent()) {
        taken.add(former.get());
        continue;
      }
      Allocation end =
          restoration.own(HEALTH, family, former, ofFamily(networks.published(HEALTH), family));
      if (end instanceof Allocation.Granted granted) {
        taken.add(granted.result().ip());
      } else if (end instanceof Allocation.Denied denied
          && denied.denial().code() != AgentError.FAMILY_UNAVAILABLE) {
        LOG.warn("The node has no address for health checks. {}", denied.denial().text());
        taken.forEach(this::release);
        return List.of();
      }
    }
    return taken;
  }

  /** Whether a restored address is one of the node still; if not, it is given up. */
  private boolean isHeld(IpAddress ip) {
    if (ipam.ownerOf(ip, pool).filter(HEALTH::equals).isEmpty()) {
      return false;
    }
    boolean held = networks.of(ip).isPresent();
    if (!held) {
      release(ip);
    }
    return held;
  }

  private void release(IpAddress ip) {
    ipam.release(ip, pool);
  }

  private static Optional<IpAddress> ofFamily(List<IpAddress> addresses, IpFamily family) {
    return addresses.stream().filter(ip -> ip.family() == family).findFirst();
  }
}
