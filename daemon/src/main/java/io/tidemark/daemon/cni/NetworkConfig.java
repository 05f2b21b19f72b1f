package io.tidemark.daemon.cni;

import io.tidemark.agent.PoolName;
import io.tidemark.ip.IpAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the agent reads of a network configuration.
 *
 * @param version of the CNI specification, one of {@link #VERSIONS}
 * @param network its name
 * @param pool of the addresses; {@link PoolName#NOT_GIVEN} for the one that the pod prefers
 * @param routes for the result, instead of default routes
 * @param previous addresses of {@code prevResult}, if there is one
 * @param valid the attachments that exist, for GC, if they are listed
 */
record NetworkConfig(
    String version,
    String network,
    PoolName pool,
    Optional<List<Route>> routes,
    Optional<List<IpAddress>> previous,
    Optional<Set<Valid>> valid) {
  /** Those that the agent speaks. */
  static final List<String> VERSIONS = List.of("0.3.1", "0.4.0", "1.0.0", "1.1.0");

  NetworkConfig {
    routes = routes.map(List::copyOf);
    previous = previous.map(List::copyOf);
    valid = valid.map(Set::copyOf);
  }

  /** A route of the result; the gateway of its family when it names none. */
  record Route(String destination, Optional<String> gateway) {}

  /** An attachment that exists. */
  record Valid(String container, String interfaceName) {}
}
