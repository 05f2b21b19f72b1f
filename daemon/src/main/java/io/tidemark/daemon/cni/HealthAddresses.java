package io.tidemark.daemon.cni;

import io.tidemark.agent.Allocation;
import io.tidemark.agent.AllocationResult;
import io.tidemark.agent.Denial;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.restore.Restoration;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The addresses of the node for health checks, held by owner {@code health}. */
final class HealthAddresses {
  private static final Logger LOG = LoggerFactory.getLogger(HealthAddresses.class);
  private static final String HEALTH = "health";

  private HealthAddresses() {}

  /**
   * Takes one of each family that the node has, the former one where it can be allocated; none if a
   * family has none (allocators 9).
   *
   * @param noted those of the process before
   */
  static List<IpAddress> take(
      List<IpAddress> noted, NodeNetworks networks, Restoration restoration, Ipam ipam) {
    List<AllocationResult> taken = new ArrayList<>();
    for (IpFamily family : IpFamily.values()) {
      Allocation end =
          restoration.own(
              HEALTH,
              family,
              ofFamily(noted, family),
              ofFamily(networks.published(HEALTH), family));
      if (end instanceof Allocation.Granted granted) {
        taken.add(granted.result());
      } else if (end instanceof Allocation.Denied denied
          && !(denied.denial() instanceof Denial.FamilyUnavailable)) {
        LOG.warn("The node has no address for health checks. {}", denied.denial().text());
        for (AllocationResult each : taken) {
          Optional<Denial> unused = ipam.release(each.ip(), each.pool());
        }
        return List.of();
      }
    }
    return taken.stream().map(AllocationResult::ip).toList();
  }

  private static Optional<IpAddress> ofFamily(List<IpAddress> addresses, IpFamily family) {
    return addresses.stream().filter(ip -> ip.family() == family).findFirst();
  }
}
