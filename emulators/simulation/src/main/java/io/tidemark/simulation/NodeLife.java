package io.tidemark.simulation;

import io.tidemark.resource.IpamSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.resource.StoreResult;
import io.tidemark.simulation.agent.AgentWorld;
import io.tidemark.simulation.agent.SimulatedAgent;
import io.tidemark.simulation.cloud.SimulatedCloud.Launch;
import io.tidemark.simulation.scenario.NodeGroup;
import io.tidemark.simulation.scenario.Scenario.InstanceShape;
import io.tidemark.simulation.scenario.Scenario.SubnetShape;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/** How nodes join, change and leave: instance, agent, object and pods together. */
final class NodeLife {
  private final Cluster cluster;
  private final AgentWorld agents;
  private final PodTraffic traffic;
  private final SplittableRandom random;
  private long launched;
  private int joined;

  NodeLife(Cluster cluster, AgentWorld agents, PodTraffic traffic, SplittableRandom random) {
    this.cluster = cluster;
    this.agents = agents;
    this.traffic = traffic;
    this.random = random;
  }

  /** One more node of a group. */
  void join(NodeGroup group) {
    int number = joined++;
    String name = group.name() + "-" + number;
    String subnet = group.subnetIds().get(number % group.subnetIds().size());
    Optional<Launch> launched = launch(name, group, subnet);
    if (launched.isEmpty()) {
      return;
    }
    Launch launch = launched.get();
    InstanceShape type = cluster.scenario().instanceType(group.instanceType()).orElseThrow();
    SubnetShape shape = cluster.scenario().subnet(subnet).orElseThrow();
    SimulatedNode node =
        new SimulatedNode(
            name,
            group,
            type,
            cluster.time().nanos(),
            cluster.fleet().holders(shape.vpcId()),
            launch,
            agent(launch, group, Set.of()));
    cluster.scenario().operator().demand().ifPresent(node::follow);
    cluster.fleet().add(node);
    NodeResource bare = bare(launch).withIpam(marks(group));
    create(node, cluster.cloud().introduced(bare.withInstanceId(launch.instanceId()), launch));
    node.agent().start();
    traffic.begin(node);
  }

  /** A full subnet takes no further instance. */
  private Optional<Launch> launch(String name, NodeGroup group, String subnet) {
    String id = String.format(Locale.ROOT, "i-%017x", 0xa0000000L + launched++);
    Launch wanted = new Launch(id, name, group.instanceType(), subnet, group.firstInterfaceIndex());
    if (cluster.cloud().subnet(subnet).free() == 0) {
      return Optional.empty();
    }
    Launch launch = wanted.as(cluster.cloud().launch(wanted));
    cluster.fleet().expect(launch.instanceId());
    cluster.cloudChanged();
    return Optional.of(launch);
  }

  /** An object that only the agent of this instance has written. */
  private NodeResource bare(Launch launch) {
    return parse(
        WireCheck.foreignObject(launch.nodeName(), cluster.cloud().section(), address(launch)));
  }

  /** The address that reaches the node: the primary address of its first interface. */
  private String address(Launch launch) {
    return cluster.cloud().attachedTo(launch.instanceId()).stream()
        .filter(each -> each.deviceIndex() == 0)
        .map(each -> each.primary().toString())
        .findFirst()
        .orElse("192.0.2.1");
  }

  private SimulatedAgent agent(Launch launch, NodeGroup group, Set<String> foreignInterfaces) {
    return new SimulatedAgent(
        agents, launch.nodeName(), launch.instanceId(), group.agent(), foreignInterfaces);
  }

  private static IpamSpec marks(NodeGroup group) {
    NodeGroup.Marks marks = group.marks();
    return IpamSpec.of(
        marks.preAllocate(), marks.minAllocate(), marks.maxAllocate(), marks.maxAboveWatermark());
  }

  private static NodeResource parse(String json) {
    return NodeResourceJson.parse(json, "simulation")
        .match(
            resource -> resource,
            invalid -> {
              throw new IllegalStateException(invalid.problems().toString());
            });
  }

  private void create(SimulatedNode node, NodeResource object) {
    StoreResult result = cluster.server().create(object);
    if (!(result instanceof StoreResult.Stored stored)) {
      throw new IllegalStateException(node + ": " + result);
    }
    cluster.invariants().objectChanged(node, stored.resource(), false);
    cluster.trace().note(() -> node + " joined");
  }

  /** The node leaves: object and instance, in either order. */
  void remove(SimulatedNode node) {
    cluster.trace().note(() -> node + " is removed");
    node.agent().terminate();
    long pause = random.nextLong(10_000_000_000L);
    if (random.nextBoolean()) {
      deleteObject(node);
      cluster.time().at(cluster.time().nanos() + pause, () -> end(node.instanceId()));
    } else {
      end(node.instanceId());
      cluster.time().at(cluster.time().nanos() + pause, () -> deleteObject(node));
    }
  }

  private void end(String instanceId) {
    cluster.cloud().terminate(instanceId);
    cluster.cloudChanged();
  }

  private void deleteObject(SimulatedNode node) {
    if (node.isPresent()) {
      node.depart();
      cluster.fleet().remove(node);
      cluster.server().delete(node.name());
    }
  }

  /** The instance is terminated; its object is deleted at {@code deleteAtNanos}. */
  void terminate(SimulatedNode node, long deleteAtNanos) {
    cluster.trace().note(() -> node + " is terminated");
    node.running(false);
    node.agent().terminate();
    end(node.instanceId());
    cluster.time().at(deleteAtNanos, () -> deleteObject(node));
  }

  /** The instance stops and starts again at {@code startAtNanos}; pods keep their addresses. */
  void stop(SimulatedNode node, long startAtNanos) {
    cluster.trace().note(() -> node + " stops");
    node.running(false);
    node.agent().stop();
    cluster.cloud().running(node.instanceId(), false);
    cluster.cloudChanged();
    String instanceId = node.instanceId();
    cluster
        .time()
        .at(
            startAtNanos,
            () -> {
              if (node.isPresent() && node.instanceId().equals(instanceId)) {
                cluster.trace().note(() -> node + " starts");
                cluster.cloud().running(instanceId, true);
                cluster.cloudChanged();
                node.running(true);
                node.agent().begin();
              }
            });
  }

  /** The node comes back under its name on another instance; the agent rewrites its object. */
  void replace(SimulatedNode node) {
    int pods = node.agent().pods().size();
    String former = node.instanceId();
    node.agent().terminate();
    end(former);
    Optional<Launch> launched = launch(node.name(), node.group(), node.launch().subnetId());
    if (launched.isEmpty()) {
      deleteObject(node);
      return;
    }
    Launch launch = launched.get();
    Set<String> foreign = new TreeSet<>(node.lastObject().pool().byResource().keySet());
    foreign.addAll(cluster.cloud().shownInterfaces(node.lastObject()).keySet());
    node.replaced(launch, agent(launch, node.group(), foreign), foreign);
    cluster.fleet().rehomed(node, former);
    cluster.trace().note(() -> node + " comes back in place of " + former);
    rewrite(node, launch);
    node.agent().start();
    traffic.recreate(node, pods);
  }

  private void rewrite(SimulatedNode node, Launch launch) {
    NodeResource now = cluster.server().find(node.name()).orElseThrow();
    IpamSpec ipam = now.ipam();
    NodeResource own = now.withSpecOf(bare(launch)).withPool(now.pool());
    NodeResource changed =
        cluster
            .cloud()
            .introduced(own.withInstanceId(launch.instanceId()), launch)
            .withIpam(
                IpamSpec.of(
                    ipam.preAllocate(),
                    ipam.minAllocate(),
                    ipam.maxAllocate(),
                    ipam.maxAboveWatermark()))
            .withUsed(Map.of())
            .withReleaseIps(Map.of());
    cluster.rewrite(now, changed);
  }

  /** An agent of the other kind takes the place of the agent. */
  void replaceAgent(SimulatedNode node) {
    node.agent().replace();
    cluster
        .trace()
        .note(
            () ->
                node
                    + " has an agent of "
                    + (node.agent().multiPool() ? "several pools" : "single addresses"));
  }

  /** The agent's process dies and restarts. */
  void restartAgent(SimulatedNode node) {
    cluster.trace().note(() -> "agent of " + node + " restarts");
    node.agent().restart();
  }
}
