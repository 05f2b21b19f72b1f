package io.tidemark.simulation;

import io.tidemark.demand.DemandSettings;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.NodeResource;
import io.tidemark.simulation.agent.Pod;
import io.tidemark.simulation.agent.SimulatedAgent;
import io.tidemark.simulation.cloud.SimulatedCloud.Launch;
import io.tidemark.simulation.scenario.NodeGroup;
import io.tidemark.simulation.scenario.Scenario.InstanceShape;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One node and what the simulation knows of it: the truth that neither operator nor agent has.
 * Lives until its resource is deleted; its instance may be replaced.
 */
final class SimulatedNode {
  private final String name;
  private final NodeGroup group;
  private final InstanceShape type;
  private final long joinedNanos;
  private final Map<IpAddress, Pod> holders;
  private Launch launch;
  private SimulatedAgent agent;
  private @Nullable NodeResource object;
  private @Nullable NodeResource described;
  private AddressSet usedWhenWritten = AddressSet.of();
  private CheckedNode judged = new CheckedNode();
  private OptionalLong reachedNanos = OptionalLong.empty();
  private Set<String> formerInterfaces = Set.of();
  private int bound;
  private int batch;
  private int waiting;
  private Optional<DemandSettings> byDemand = Optional.empty();
  private boolean running = true;
  private boolean present = true;

  /**
   * A node whose instance has just been launched.
   *
   * @param holders who holds which address in the node's VPC
   */
  SimulatedNode(
      String name,
      NodeGroup group,
      InstanceShape type,
      long joinedNanos,
      Map<IpAddress, Pod> holders,
      Launch launch,
      SimulatedAgent agent) {
    this.name = name;
    this.group = group;
    this.type = type;
    this.joinedNanos = joinedNanos;
    this.holders = holders;
    this.launch = launch;
    this.agent = agent;
  }

  String name() {
    return name;
  }

  NodeGroup group() {
    return group;
  }

  InstanceShape type() {
    return type;
  }

  String instanceId() {
    return launch.instanceId();
  }

  Launch launch() {
    return launch;
  }

  SimulatedAgent agent() {
    return agent;
  }

  /** It came back on another instance. */
  void replaced(Launch otherLaunch, SimulatedAgent otherAgent, Set<String> interfaces) {
    formerInterfaces = Set.copyOf(interfaces);
    launch = otherLaunch;
    agent = otherAgent;
    running = true;
  }

  /** Interfaces of an earlier instance, which its agent knows not to be its own. */
  Set<String> formerInterfaces() {
    return formerInterfaces;
  }

  /** Whether its instance is meant to run. */
  boolean isRunning() {
    return running;
  }

  void running(boolean now) {
    running = now;
  }

  /** Whether its object has not been deleted. */
  boolean isPresent() {
    return present;
  }

  void depart() {
    present = false;
    running = false;
    object = null;
  }

  Map<IpAddress, Pod> holders() {
    return holders;
  }

  // ---- the object on the API server

  /** The object as it is now; empty before it is created and after it was deleted. */
  Optional<NodeResource> object() {
    return Optional.ofNullable(object);
  }

  /** The object of a node that is present. */
  NodeResource lastObject() {
    return Objects.requireNonNull(object, name);
  }

  void object(NodeResource now) {
    object = now;
  }

  /** The addresses that pods used, by the object, when an operator last wrote it. */
  AddressSet usedWhenWritten() {
    return usedWhenWritten;
  }

  void usedWhenWritten(AddressSet now) {
    usedWhenWritten = now;
  }

  /** The object that was last found well described; null for none. */
  @Nullable NodeResource described() {
    return described;
  }

  void described(NodeResource now) {
    described = now;
  }

  /** The node at the last check. */
  CheckedNode judged() {
    return judged;
  }

  void judged(CheckedNode anew) {
    judged = anew;
  }

  // ---- reaching the watermark

  /** Notes the first instant at which the pool met the watermark. */
  void reached(long nanos) {
    if (reachedNanos.isEmpty()) {
      reachedNanos = OptionalLong.of(nanos);
    }
  }

  /** Time from joining to the first full pool; empty while it was never full. */
  OptionalLong timeToWatermarkNanos() {
    return reachedNanos.isPresent()
        ? OptionalLong.of(reachedNanos.getAsLong() - joinedNanos)
        : OptionalLong.empty();
  }

  // ---- the bound of I8

  int waiting() {
    return waiting;
  }

  void waiting(int pods) {
    waiting = pods;
    raiseBound();
  }

  /** Moves the bound after the object or the number of waiting pods changed. */
  void raiseBound() {
    if (object != null) {
      Marks marks = marks(object);
      int wanted = marks.target() + waiting;
      batch = Math.max(batch, wanted);
      bound = Math.max(bound, wanted);
    }
  }

  /** Its spare addresses follow demand, within these bounds. */
  void follow(DemandSettings settings) {
    byDemand = Optional.of(settings);
  }

  /** The watermarks of a version of its object. */
  Marks marks(NodeResource version) {
    return Marks.of(version, byDemand);
  }

  /** Most addresses that the watermarks ever asked for. */
  int bound() {
    return bound;
  }

  /** Most addresses that one pass can ever have asked for. */
  int batch() {
    return batch;
  }

  @Override
  public String toString() {
    return name + " (" + instanceId() + ")";
  }
}
