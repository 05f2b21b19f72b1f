package io.tidemark.spi;

import io.tidemark.ip.IpAddress;
import java.util.Objects;
import java.util.Optional;

/**
 * Room of one instance.
 *
 * @param capacityIpv4 pod addresses the node could ever have
 * @param interfaces attached interfaces, unusable ones included
 * @param interfacesWithRoom attached interfaces that can take more addresses
 * @param emptySlots interfaces that can still be attached; negative when over the limit
 * @param ipv6Prefixes attached IPv6 prefixes
 * @param staticAddress associated public address
 */
public record InterfaceStatistics(
    int capacityIpv4,
    int interfaces,
    int interfacesWithRoom,
    int emptySlots,
    int ipv6Prefixes,
    Optional<IpAddress> staticAddress) {
  public InterfaceStatistics {
    Objects.requireNonNull(staticAddress, "staticAddress");
  }
}
