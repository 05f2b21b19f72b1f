package io.tidemark.daemon.cni;

import io.tidemark.agent.Allocation;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.PoolSnapshot;
import io.tidemark.agent.PoolSnapshot.Held;
import io.tidemark.agent.PoolSnapshot.HeldAddress;
import io.tidemark.agent.UpstreamSync;
import io.tidemark.agent.restore.Restoration;
import io.tidemark.daemon.cni.Attachment.Address;
import io.tidemark.daemon.cni.NodeNetworks.Change;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gateways that results name: one address of each network, held by owner {@code router}. In a
 * network that was not there at the start, the first pod brings its gateway. Where networks come
 * and go, the last pod takes it with it, so that the block can be given back. With another {@link
 * GatewayChoice} there are none. One lane calls it, except for {@link #ips}.
 */
final class Gateways {
  private static final Logger LOG = LoggerFactory.getLogger(Gateways.class);
  private static final String ROUTER = "router";
  private static final int TRIED_MAX = 1000;

  private final Ipam ipam;
  private final NodeNetworks networks;
  private final boolean named;
  private volatile List<Address> routers = List.of();

  Gateways(Ipam ipam, NodeNetworks networks, GatewayChoice choice) {
    this.ipam = ipam;
    this.networks = networks;
    this.named = choice == GatewayChoice.ROUTER;
  }

  /** All of them; from any thread. */
  List<IpAddress> ips() {
    return routers.stream().map(Address::ip).toList();
  }

  List<Address> all() {
    return routers;
  }

  /**
   * Takes those that pods have already, or in a network that does not come and go a new one.
   *
   * @param former before this process; those without a pool are of {@code pool}
   * @param inUse addresses that pods have
   * @param restoration of all that was in use
   */
  void restore(
      List<Address> former, PoolName pool, List<IpAddress> inUse, Restoration restoration) {
    if (!named) {
      return;
    }
    if (networks.change() == Change.COME_AND_GO) {
      former.forEach(
          each -> restore(each.ip(), each.pool().isGiven() ? each.pool() : pool, restoration));
      return;
    }
    for (Cidr network : networks.cidrs()) {
      Optional<Address> known =
          former.stream().filter(each -> network.contains(each.ip())).findFirst();
      if (known.isPresent()) {
        restore(known.get().ip(), pool, restoration);
      } else {
        take(network, pool, inUse);
      }
    }
  }

  private void restore(IpAddress ip, PoolName pool, Restoration restoration) {
    if (restoration.known(ROUTER, ip, pool).isEmpty()) {
      add(new Address(ip, pool));
    }
  }

  private void take(Cidr network, PoolName pool, List<IpAddress> inUse) {
    Optional<IpAddress> ip =
        networks
            .gateways(network)
            .filter(each -> !inUse.contains(each))
            .limit(TRIED_MAX)
            .filter(each -> isAllocated(each, pool))
            .findFirst();
    ip.ifPresentOrElse(
        each -> add(new Address(each, pool)),
        () -> LOG.warn("No address is free for a gateway. network={}", network));
  }

  private boolean isAllocated(IpAddress ip, PoolName pool) {
    return ipam.allocate(ip, ROUTER, pool, UpstreamSync.DEFER) instanceof Allocation.Granted;
  }

  /**
   * The gateways of addresses that a pod gets, which are taken now where there are none; empty when
   * one of their networks has no free address for one.
   */
  Optional<List<Address>> of(List<Address> addresses) {
    List<Address> found = new ArrayList<>();
    if (named && networks.change() != Change.NONE) {
      for (Address each : addresses) {
        Optional<Cidr> network = networks.of(each.ip()).filter(it -> it.sizeSaturated() > 1);
        if (network.isPresent()) {
          if (in(network.get()).isEmpty()) {
            take(network.get(), each.pool(), List.of());
          }
          Optional<Address> gateway = in(network.get());
          if (gateway.isEmpty()) {
            return Optional.empty();
          }
          found.add(gateway.get());
        }
      }
    }
    return Optional.of(found);
  }

  private Optional<Address> in(Cidr network) {
    return routers.stream().filter(each -> network.contains(each.ip())).findFirst();
  }

  /** Takes out and returns those of networks that come and go and have no pod any more. */
  List<Address> leave() {
    List<Address> gone = new ArrayList<>();
    if (networks.change() == Change.COME_AND_GO) {
      List<PoolSnapshot> pools = ipam.snapshot();
      for (Address each : routers) {
        networks.of(each.ip()).filter(it -> !hasPods(it, pools)).ifPresent(it -> gone.add(each));
      }
      remove(gone);
    }
    return gone;
  }

  private static boolean hasPods(Cidr network, List<PoolSnapshot> pools) {
    return pools.stream()
        .flatMap(each -> each.held().stream())
        .anyMatch(each -> isOfPod(each) && network.contains(each.ip()));
  }

  private static boolean isOfPod(HeldAddress held) {
    return held.state() == Held.IN_USE && !held.owner().equals(ROUTER);
  }

  private void add(Address router) {
    List<Address> next = new ArrayList<>(routers);
    next.add(router);
    routers = List.copyOf(next);
  }

  private void remove(List<Address> gone) {
    routers = routers.stream().filter(each -> !gone.contains(each)).toList();
  }

  /** Takes back what could not be taken out of the file. */
  void stay(List<Address> gone) {
    gone.forEach(this::add);
  }
}
