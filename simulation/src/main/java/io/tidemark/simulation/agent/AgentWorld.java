package io.tidemark.simulation.agent;

import io.tidemark.resource.InMemoryNodeResourceStore;
import io.tidemark.resource.InMemoryNodeResourceStore.DeliveryDelay;
import io.tidemark.resource.InMemoryNodeResourceStore.Interference;
import io.tidemark.time.EffectModel;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * What all agents share.
 *
 * @param server the API server
 * @param delay how late an agent hears of a change
 * @param interference what goes wrong at the server
 * @param network fate of the agents' requests
 * @param requestTimeout how long they wait for an answer
 * @param random which of the free addresses a pod gets
 */
public record AgentWorld(
    VirtualTime time,
    InMemoryNodeResourceStore server,
    DeliveryDelay delay,
    Interference interference,
    EffectModel network,
    Duration requestTimeout,
    AddressLedger ledger,
    SplittableRandom random) {
  public AgentWorld {
    Objects.requireNonNull(time, "time");
    Objects.requireNonNull(server, "server");
    Objects.requireNonNull(delay, "delay");
    Objects.requireNonNull(interference, "interference");
    Objects.requireNonNull(network, "network");
    Objects.requireNonNull(requestTimeout, "requestTimeout");
    Objects.requireNonNull(ledger, "ledger");
    Objects.requireNonNull(random, "random");
  }
}
