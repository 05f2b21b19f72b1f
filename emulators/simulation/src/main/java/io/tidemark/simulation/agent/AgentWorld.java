package io.tidemark.simulation.agent;

import io.tidemark.agent.crd.CrdMode;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.resource.InMemoryNodeResourceStore;
import io.tidemark.resource.InMemoryNodeResourceStore.DeliveryDelay;
import io.tidemark.resource.InMemoryNodeResourceStore.Interference;
import io.tidemark.time.EffectModel;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The surroundings that all agents share.
 *
 * @param server the API server
 * @param delay until an agent receives a change
 * @param interference failures of the server
 * @param network latency and loss of the agents' requests
 * @param requestTimeout timeout of their requests
 * @param mode whose interfaces have the addresses
 * @param families the enabled ones; pods have IPv4 addresses
 * @param random where handing out begins
 */
public record AgentWorld(
    VirtualTime time,
    InMemoryNodeResourceStore server,
    DeliveryDelay delay,
    Interference interference,
    EffectModel network,
    Duration requestTimeout,
    AddressLedger ledger,
    CrdMode mode,
    Set<IpFamily> families,
    SplittableRandom random) {
  public AgentWorld {
    families = Set.copyOf(families);
  }

  /** Receives every change of an address's owner when it happens. */
  public interface AddressLedger {
    /** The agent on an instance gives {@code address} to {@code pod} now. */
    void taken(String instanceId, IpAddress address, Pod pod);

    /** The pod that held {@code address} has ended. */
    void givenBack(String instanceId, IpAddress address);

    /** The number of pods that wait for an address has changed. */
    void waiting(String instanceId, int pods);
  }
}
