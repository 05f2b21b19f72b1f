package io.tidemark.simulation.agent;

import io.tidemark.ip.IpAddress;
import io.tidemark.simulation.scenario.NodeGroup.AgentShape;
import io.tidemark.time.VirtualProcess;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * The agent of one node: gives addresses to {@link AgentPods} and reports to the operator at most
 * once per update interval. It lives as long as its instance; a restart keeps the pods and forgets
 * what was not published. Used by the simulation's thread alone.
 */
public final class SimulatedAgent {
  private final AgentWorld world;
  private final String node;
  private final String instanceId;
  private final Runs runs;
  private final AgentPods pods;
  private VirtualProcess process;
  private Optional<AgentRun> run = Optional.empty();
  private long nextWriteNanos;

  /** Makes what runs in a process. */
  private interface Runs {
    AgentRun of(SimulatedAgent agent, VirtualProcess process);
  }

  private SimulatedAgent(AgentWorld world, String node, String instanceId, Runs runs) {
    this.world = world;
    this.node = node;
    this.instanceId = instanceId;
    this.runs = runs;
    this.pods = new AgentPods(world, this);
    this.process = world.time().process("agent of " + node);
  }

  /**
   * An agent.
   *
   * @param foreignInterfaces interfaces of an earlier instance of the same name
   */
  public static SimulatedAgent of(
      AgentWorld world,
      String node,
      String instanceId,
      AgentShape shape,
      Set<String> foreignInterfaces) {
    Duration rate = shape.updateRate();
    if (shape.kind() == AgentShape.Kind.PRODUCT) {
      return new SimulatedAgent(
          world,
          node,
          instanceId,
          (agent, process) -> new ProductRun(world, agent, process, rate, foreignInterfaces));
    }
    AddressSource source =
        shape.multiPool()
            ? new CidrSource(
                foreignInterfaces, world.shown(), world.time(), rate.plus(Duration.ofSeconds(2)))
            : new PoolSource(foreignInterfaces);
    return new SimulatedAgent(
        world,
        node,
        instanceId,
        (agent, process) -> new SourceRun(world, agent, process, rate, source));
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

  /** Whether its object does not yet say all that it knows, or addresses cool. */
  public boolean hasUnwritten() {
    return process.isAlive() && run.map(AgentRun::hasUnwritten).orElse(false);
  }

  /** Whether it runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  // ---- life

  /** Reads its object and begins to work. */
  public void start() {
    AgentRun started = runs.of(this, process);
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

  /** Its process dies; pods and their addresses stay, as on a stopped instance. */
  public void stop() {
    run.ifPresent(former -> nextWriteNanos = former.stop());
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

  /** Before this moment a process does not write, because its predecessor might have. */
  long nextWriteNanos() {
    return nextWriteNanos;
  }

  // ---- pods

  /** A pod is placed on the node. */
  public void podArrives(Pod pod) {
    pods.arrive(pod);
    serve();
    if (pods.waiting() > 0) {
      run.ifPresent(AgentRun::lacking);
    }
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
    run.ifPresent(pods::serve);
  }

  @Override
  public String toString() {
    return "agent of " + node + " on " + instanceId;
  }
}
