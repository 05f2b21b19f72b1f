package io.tidemark.simulation.agent;

import io.tidemark.ip.IpAddress;
import java.util.Optional;

/** One process of an agent, from its start to its end. Used by the simulation's thread alone. */
interface AgentRun {
  /** Watches its object and begins to work; pods have had their addresses before. */
  void start();

  /** An address for a pod; empty when there is none now, and the pod waits on. */
  Optional<IpAddress> next(Pod pod);

  /** The pod that had an address has ended. */
  void released(IpAddress address);

  /** A pod waits for an address that there is not. */
  void lacking();

  /** Whether its object does not yet say all that it knows, or addresses cool. */
  boolean hasUnwritten();

  /** Its process ends; before the moment that is returned the next one does not write. */
  long stop();
}
