package io.tidemark.daemon.cni;

import io.tidemark.agent.InterfaceDetails;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * How addresses are written in results.
 *
 * @param prefix how much of an address is its network
 * @param choice of the gateway that they name
 * @param networks of the node
 * @param routers one in each network, for {@link GatewayChoice#ROUTER}; asked at each result
 */
public record ResultForm(
    Prefix prefix, GatewayChoice choice, NodeNetworks networks, Supplier<List<IpAddress>> routers) {
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
        : networks.of(ip).map(Cidr::prefixLength).orElse(ip.family().bits());
  }

  Optional<IpAddress> gateway(IpAddress ip) {
    return switch (choice) {
      case ROUTER ->
          networks
              .of(ip)
              .flatMap(network -> routers.get().stream().filter(network::contains).findFirst());
      case INTERFACE -> interfaceOf(ip).flatMap(InterfaceDetails::gateway);
      case NONE -> Optional.empty();
    };
  }

  Optional<InterfaceDetails> interfaceOf(IpAddress ip) {
    return networks.interfaceOf(ip);
  }
}
