package io.tidemark.daemon.cni;

import io.tidemark.agent.PoolName;
import io.tidemark.ip.IpAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The fields of a network configuration that the agent reads.
 *
 * @param version of the CNI specification, one of {@link #VERSIONS}
 * @param network its name
 * @param pool of the addresses; {@link PoolName#NOT_GIVEN} for the one that the pod prefers
 * @param routes for the result, instead of default routes
 * @param previous addresses of {@code prevResult}, if there is one
 * @param valid the attachments that exist, for GC, if they are listed
 * @param requested where it asks for addresses of its choice; empty when it does not
 */
record NetworkConfig(
    String version,
    String network,
    PoolName pool,
    Optional<List<Route>> routes,
    Optional<List<IpAddress>> previous,
    Optional<Set<Valid>> valid,
    Optional<String> requested) {
  static final List<String> VERSIONS = List.of("0.3.1", "0.4.0", "1.0.0", "1.1.0");

  boolean has(String command) {
    return VERSIONS.indexOf(version) >= VERSIONS.indexOf(since(command));
  }

  /** The version that brought a command; the first that the agent speaks for all others. */
  static String since(String command) {
    return switch (command) {
      case "CHECK" -> "0.4.0";
      case "GC", "STATUS" -> "1.1.0";
      default -> VERSIONS.get(0);
    };
  }

  /** A route of the result; the gateway of its family when it names none. */
  record Route(String destination, Optional<String> gateway) {}

  record Valid(String container, String interfaceName) {}
}
