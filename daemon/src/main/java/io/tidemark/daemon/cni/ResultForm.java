package io.tidemark.daemon.cni;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.util.List;
import java.util.Optional;

/**
 * How addresses are written in results.
 *
 * @param prefix how much of an address is its network
 * @param networks of the node
 * @param gateways one in each network, if results name one
 */
public record ResultForm(Prefix prefix, NodeNetworks networks, List<IpAddress> gateways) {
  public ResultForm {
    gateways = List.copyOf(gateways);
  }

  /** The length of the prefix. */
  public enum Prefix {
    /** That of the network which the address is from; plugins that set up routes need it. */
    SUBNET,
    /** The whole address, 32 or 128. */
    HOST
  }

  int prefixLength(IpAddress ip) {
    return prefix == Prefix.HOST
        ? ip.family().bits()
        : network(ip).map(Cidr::prefixLength).orElse(ip.family().bits());
  }

  Optional<IpAddress> gateway(IpAddress ip) {
    return network(ip).flatMap(network -> gateways.stream().filter(network::contains).findFirst());
  }

  private Optional<Cidr> network(IpAddress ip) {
    return networks.cidrs().stream().filter(each -> each.contains(ip)).findFirst();
  }
}
