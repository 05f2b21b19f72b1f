package io.tidemark.simulation.agent;

import io.tidemark.ip.IpAddress;

/** Hears every address that changes hands, at the moment it does. */
public interface AddressLedger {
  /** The agent hands {@code address} to {@code pod} now. */
  void taken(SimulatedAgent agent, IpAddress address, Pod pod);

  /** The pod that held {@code address} is gone. */
  void givenBack(SimulatedAgent agent, IpAddress address);

  /** The number of pods that wait for an address has changed. */
  void waiting(SimulatedAgent agent, int pods);
}
