package io.tidemark.simulation.scenario;

import io.tidemark.agent.CoolingRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Nodes that are alike.
 *
 * @param name prefix of the nodes' names
 * @param instanceType one of the scenario's
 * @param subnetIds subnets of the primary interfaces, dealt out in turn; at least one
 * @param firstInterfaceIndex interfaces below it hold no pod addresses
 * @param join when the nodes appear
 * @param agent what kind of agent they run
 * @param waves pods that come or go on each node
 * @param churn pods that come and go all the time
 */
public record NodeGroup(
    String name,
    int count,
    String instanceType,
    List<String> subnetIds,
    int firstInterfaceIndex,
    Marks marks,
    Span join,
    AgentShape agent,
    List<PodWave> waves,
    Optional<Churn> churn) {
  public NodeGroup {
    subnetIds = List.copyOf(subnetIds);
    waves = List.copyOf(waves);
  }

  /** The watermarks as the resource's {@code spec.ipam} carries them; 0 is absent. */
  public record Marks(int preAllocate, int minAllocate, int maxAllocate, int maxAboveWatermark) {
    /** All left to the operator. */
    public static final Marks DEFAULT = new Marks(0, 0, 0, 0);
  }

  /** From {@code at}, spread at random over {@code over}. */
  public record Span(Duration at, Duration over) {
    /** All at the very start. */
    public static final Span START = new Span(Duration.ZERO, Duration.ZERO);
  }

  /**
   * How the agents behave.
   *
   * @param multiPool they hold CIDRs and publish their demand (node-manager 2.8, 4.9)
   * @param updateRate least time between two writes of one agent
   * @param cooldown how long a released address is kept from other pods while another is free
   */
  public record AgentShape(boolean multiPool, Duration updateRate, Duration cooldown) {
    /** Agents of the release handshake with the usual rate. */
    public static final AgentShape DEFAULT = new AgentShape(false, Duration.ofSeconds(15));

    /** Agents with the cooldown that agents have by default. */
    public AgentShape(boolean multiPool, Duration updateRate) {
      this(multiPool, updateRate, CoolingRule.DEFAULT.pause());
    }
  }

  /**
   * Pods that come, or go when negative, on each node of the group.
   *
   * @param when counted from the node's own appearance when that is later than the start
   */
  public record PodWave(Span when, int pods) {}

  /**
   * Pods that start and end continuously.
   *
   * @param every mean time between two arrivals on one node
   * @param lifetime mean time until a pod ends
   */
  public record Churn(Duration every, Duration lifetime) {}

  /** The same group with pods on the primary interface. */
  NodeGroup onPrimaryInterface() {
    return with(count, 0, waves);
  }

  /** The same group with another number of nodes. */
  public NodeGroup withCount(int other) {
    return with(other, firstInterfaceIndex, waves);
  }

  /**
   * The same group with another number of pods in its first wave, one at the start if it has none.
   */
  NodeGroup withFirstPods(int pods) {
    List<PodWave> others = new ArrayList<>(waves);
    Span when = others.isEmpty() ? Span.START : others.remove(0).when();
    others.add(0, new PodWave(when, pods));
    return with(count, firstInterfaceIndex, others);
  }

  private NodeGroup with(int nodes, int first, List<PodWave> pods) {
    return new NodeGroup(
        name, nodes, instanceType, subnetIds, first, marks, join, agent, pods, churn);
  }
}
