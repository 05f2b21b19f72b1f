package io.tidemark.daemon.cni;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.util.List;
import java.util.Optional;

/**
 * How addresses are written in results.
 *
 * @param prefix how much of an address is its network
 * @param subnets the blocks of the node
 */
public record ResultForm(Prefix prefix, List<Subnet> subnets) {
  public ResultForm {
    subnets = List.copyOf(subnets);
  }

  /** The length of the prefix. */
  public enum Prefix {
    /** That of the block which the address is from; plugins that set up routes need it. */
    SUBNET,
    /** The whole address, 32 or 128. */
    HOST
  }

  /**
   * A block of the node.
   *
   * @param gateway the gateway of its addresses, if results name one
   */
  public record Subnet(Cidr cidr, Optional<IpAddress> gateway) {}

  int prefixLength(IpAddress ip) {
    return prefix == Prefix.HOST
        ? ip.family().bits()
        : subnet(ip).map(each -> each.cidr().prefixLength()).orElse(ip.family().bits());
  }

  Optional<IpAddress> gateway(IpAddress ip) {
    return subnet(ip).flatMap(Subnet::gateway);
  }

  private Optional<Subnet> subnet(IpAddress ip) {
    return subnets.stream().filter(each -> each.cidr().contains(ip)).findFirst();
  }
}
