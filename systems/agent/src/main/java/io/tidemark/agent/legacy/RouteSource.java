package io.tidemark.agent.legacy;

import java.util.List;
import java.util.Optional;

/** The routes of this machine. Called outside every lock; may block. */
public interface RouteSource {
  /** Knows none, so nothing is reserved. */
  RouteSource NONE = Optional::empty;

  /** All IPv4 routes and the device of the pods; empty when there is no such device. */
  Optional<Routes> read();

  /**
   * Routes at an instant.
   *
   * @param hostDevice the device that leads to this machine's pods, {@code cilium_host} in 1.6
   */
  record Routes(String hostDevice, List<LocalRoute> ipv4) {}
}
