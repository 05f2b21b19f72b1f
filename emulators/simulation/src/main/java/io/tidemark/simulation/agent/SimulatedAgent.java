package io.tidemark.simulation.agent;

import io.tidemark.agent.multipool.RememberedCidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.simulation.scenario.NodeGroup.AgentShape;
import io.tidemark.time.VirtualProcess;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * The agent of one node: gives addresses to {@link AgentPods} and reports to the operator at most
 * once per update interval. It lives as long as its instance; a restart keeps the pods, and what a
 * process stored. Used by the simulation's thread alone.
 */
public final class SimulatedAgent {
  private final AgentWorld world;
  private final String node;
  private final String instanceId;
  private AgentShape shape;
  private final Set<String> foreignInterfaces;
  private final AgentPods pods;
  private VirtualProcess process;
  private Optional<AgentProcess> run = Optional.empty();
  private Optional<List<RememberedCidr>> remembered = Optional.empty();

  /**
   * An agent.
   *
   * @param foreignInterfaces interfaces of an earlier instance of the same name
   */
  public SimulatedAgent(
      AgentWorld world,
      String node,
      String instanceId,
      AgentShape shape,
      Set<String> foreignInterfaces) {
    this.world = world;
    this.node = node;
    this.instanceId = instanceId;
    this.shape = shape;
    this.foreignInterfaces = Set.copyOf(foreignInterfaces);
    this.pods = new AgentPods(world, instanceId);
    this.process = world.time().process("agent of " + node);
  }

  /** The node's name. */
  public String node() {
    return node;
  }

  /** The instance it runs on. */
  public String instanceId() {
    return instanceId;
  }

  /** Addresses that its pods hold. */
  public SortedMap<IpAddress, Pod> used() {
    return pods.used();
  }

  /** How often {@link #used} has changed. */
  public long usedChanges() {
    return pods.usedChanges();
  }

  /** Pods that wait for an address. */
  public int waiting() {
    return pods.waiting();
  }

  /** Pods that hold an address or wait for one. */
  public List<Pod> pods() {
    return pods.all();
  }

  /** Whether its object does not yet say all that it knows, or will say something else in time. */
  public boolean hasUnwritten() {
    return process.isAlive() && run.map(AgentProcess::hasUnwritten).orElse(false);
  }

  // ---- life

  /** Reads its object and begins to work. */
  public void start() {
    AgentProcess started = new AgentProcess(world, this, process, shape, foreignInterfaces);
    run = Optional.of(started);
    started.start();
  }

  /** Its process dies and restarts; its pods go on. */
  public void restart() {
    if (process.isAlive()) {
      stop();
      begin();
    }
  }

  /** A process of the other kind takes its place; its pods go on. */
  public void replace() {
    boolean alive = process.isAlive();
    if (alive) {
      stop();
    }
    shape = new AgentShape(!shape.multiPool(), shape.updateRate(), shape.cooldown());
    if (alive) {
      begin();
    }
  }

  /** Whether it uses CIDRs and publishes its demand. */
  public boolean multiPool() {
    return shape.multiPool();
  }

  /** Its process dies; pods and their addresses stay, as on a stopped instance. */
  public void stop() {
    run.ifPresent(AgentProcess::stop);
    run = Optional.empty();
    process.crash(VirtualProcess.OnTheWire.ARRIVES);
  }

  /** A new process after {@link #stop}. */
  public void begin() {
    process = world.time().process("agent of " + node);
    start();
  }

  /** Its instance is gone, and every pod with it. */
  public void terminate() {
    stop();
    pods.endAll();
  }

  /** Stores what the next process must know. */
  void remember(List<RememberedCidr> blocks) {
    remembered = Optional.of(blocks);
  }

  /** The last stored blocks on this instance; empty when nothing ever was. */
  Optional<List<RememberedCidr>> remembered() {
    return remembered;
  }

  // ---- pods

  /** A pod is placed on the node. */
  public void podArrives(Pod pod) {
    pods.arrive(pod);
    serve();
    pods.tellWaiting();
  }

  /** A pod ends; does nothing when it has left before. */
  public void podLeaves(Pod pod) {
    if (pod.isGone()) {
      return;
    }
    Optional<IpAddress> address = pods.leave(pod);
    if (address.isPresent()) {
      run.ifPresent(it -> it.released(address.get()));
      serve();
    }
    pods.tellWaiting();
  }

  /** Pods that wait get what there is. */
  void serve() {
    run.ifPresent(running -> pods.serve(running, multiPool()));
  }

  @Override
  public String toString() {
    return "agent of " + node + " on " + instanceId;
  }
}
