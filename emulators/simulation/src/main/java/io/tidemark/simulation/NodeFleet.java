package io.tidemark.simulation;

import io.tidemark.ip.IpAddress;
import io.tidemark.simulation.agent.Pod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The nodes that exist, by name and by instance, and every instance that ever was one. */
final class NodeFleet {
  private final TreeMap<String, SimulatedNode> inOrder = new TreeMap<>();
  private final Map<String, SimulatedNode> byInstance = new HashMap<>();
  private final Set<String> everKnown = new HashSet<>();
  private final Map<String, Map<IpAddress, Pod>> holdersByVpc = new HashMap<>();
  private final List<SimulatedNode> departed = new ArrayList<>();
  private int full;

  void add(SimulatedNode node) {
    inOrder.put(node.name(), node);
    byInstance.put(node.instanceId(), node);
    everKnown.add(node.instanceId());
  }

  /** An instance is about to be launched. */
  void expect(String instanceId) {
    everKnown.add(instanceId);
  }

  /** The pool of one of them met the watermark for the first time. */
  void reached(SimulatedNode node, long nanos) {
    node.reached(nanos);
    full++;
  }

  /** Nodes that exist and whose pool met the watermark at least once. */
  int full() {
    return full;
  }

  void remove(SimulatedNode node) {
    full -= node.timeToWatermarkNanos().isPresent() ? 1 : 0;
    inOrder.remove(node.name());
    byInstance.remove(node.instanceId());
    departed.add(node);
  }

  /** The node's instance was exchanged. */
  void rehomed(SimulatedNode node, String formerInstanceId) {
    byInstance.remove(formerInstanceId);
    byInstance.put(node.instanceId(), node);
    everKnown.add(node.instanceId());
  }

  @Nullable SimulatedNode byInstance(String instanceId) {
    return byInstance.get(instanceId);
  }

  Optional<SimulatedNode> byName(String name) {
    return Optional.ofNullable(inOrder.get(name));
  }

  /** Whether the instance is or was one of our nodes. */
  boolean knows(String instanceId) {
    return everKnown.contains(instanceId);
  }

  /** Nodes that exist, names ascending. */
  Collection<SimulatedNode> nodes() {
    return Collections.unmodifiableCollection(inOrder.values());
  }

  /** Nodes that were removed. */
  List<SimulatedNode> departed() {
    return Collections.unmodifiableList(departed);
  }

  /** Who holds which address in a VPC. */
  Map<IpAddress, Pod> holders(String vpcId) {
    return holdersByVpc.computeIfAbsent(vpcId, id -> new HashMap<>());
  }

  /** Up to {@code count} different nodes that run, drawn at random. */
  List<SimulatedNode> draw(int count, SplittableRandom random) {
    List<SimulatedNode> candidates = new ArrayList<>();
    for (SimulatedNode node : inOrder.values()) {
      if (node.isRunning()) {
        candidates.add(node);
      }
    }
    List<SimulatedNode> drawn = new ArrayList<>();
    while (drawn.size() < count && !candidates.isEmpty()) {
      drawn.add(candidates.remove(random.nextInt(candidates.size())));
    }
    return drawn;
  }
}
