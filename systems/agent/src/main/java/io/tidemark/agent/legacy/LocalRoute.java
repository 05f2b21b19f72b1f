package io.tidemark.agent.legacy;

import io.tidemark.ip.Cidr;
import java.util.Optional;

/**
 * An IPv4 route of this machine.
 *
 * @param destination empty for the default route
 * @param device the interface that it goes out of
 * @param hasSource whether it names a source address
 * @param hasGateway whether it names a gateway
 */
public record LocalRoute(
    Optional<Cidr> destination, String device, boolean hasSource, boolean hasGateway) {

  /** Whether addresses of its destination belong to somebody else than this machine's pods. */
  boolean conflicts(String hostDevice) {
    boolean blackHole = !hasSource && !hasGateway;
    return !device.equals(hostDevice) && destination.isPresent() && !blackHole;
  }
}
