package io.tidemark.simulation.agent;

import io.tidemark.ip.IpAddress;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.simulation.store.StoreLine;
import io.tidemark.time.VirtualProcess;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
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
  private final AddressSource source;
  private final long updateRateNanos;
  private final AgentPods pods;
  private VirtualProcess process;
  private Optional<StoreLine> line = Optional.empty();
  private Optional<AgentWriter> writer = Optional.empty();
  private Optional<NodeResourceStore.Watch> watch = Optional.empty();
  private boolean ready;
  private boolean serving;
  private long nextWriteNanos;

  private SimulatedAgent(
      AgentWorld world, String node, String instanceId, Duration updateRate, AddressSource source) {
    this.world = world;
    this.node = node;
    this.instanceId = instanceId;
    this.source = source;
    this.pods = new AgentPods(world, this, source);
    this.updateRateNanos = updateRate.toNanos();
    this.process = world.time().process("agent of " + node);
  }

  /**
   * An agent of the release handshake.
   *
   * @param foreignInterfaces interfaces of an earlier instance of the same name
   */
  public static SimulatedAgent withPool(
      AgentWorld world,
      String node,
      String instanceId,
      Duration updateRate,
      Set<String> foreignInterfaces) {
    return new SimulatedAgent(
        world, node, instanceId, updateRate, new PoolSource(foreignInterfaces));
  }

  /** A multi-pool agent. */
  public static SimulatedAgent withCidrs(
      AgentWorld world,
      String node,
      String instanceId,
      Duration updateRate,
      Set<String> foreignInterfaces) {
    return new SimulatedAgent(
        world,
        node,
        instanceId,
        updateRate,
        new CidrSource(
            foreignInterfaces,
            world.shown(),
            world.time(),
            updateRate.plus(Duration.ofSeconds(2))));
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

  /** Whether its object does not yet say all that it knows. */
  public boolean hasUnwritten() {
    return process.isAlive() && writer.map(AgentWriter::hasUnwritten).orElse(false);
  }

  /** Whether it runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  // ---- life

  /** Reads its object and begins to work. */
  public void start() {
    StoreLine opened =
        new StoreLine(
            () -> world.server().client(node, process, world.delay(), world.interference()),
            process,
            world.delay(),
            world.network());
    line = Optional.of(opened);
    writer =
        Optional.of(
            new AgentWriter(
                world,
                node,
                source,
                updateRateNanos,
                process,
                opened,
                nextWriteNanos,
                new Pages()));
    watch = Optional.of(opened.watch(new Eyes()));
  }

  private final class Eyes implements NodeResourceStore.Watcher {
    @Override
    public void upserted(NodeResource resource) {
      look();
      if (!ready && isMine(resource)) {
        ready = true;
        writer.ifPresent(AgentWriter::begin);
        look();
        changed();
      }
    }

    @Override
    public void deleted(String name) {
      // the instance goes too; nothing can be written any more
    }

    @Override
    public void refused(String name, List<ResourceProblem> problems) {
      throw new IllegalStateException(name + " cannot be read: " + problems);
    }

    @Override
    public void synced() {
      // an object that is not there yet comes as a change
    }
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
    watch.ifPresent(NodeResourceStore.Watch::close);
    watch = Optional.empty();
    line = Optional.empty();
    writer.ifPresent(former -> nextWriteNanos = former.nextWriteNanos());
    writer = Optional.empty();
    process.crash(VirtualProcess.OnTheWire.ARRIVES);
    ready = false;
    serving = false;
  }

  /** A new process after {@link #stop}. */
  public void begin() {
    process = world.time().process("agent of " + node);
    source.restarted();
    start();
  }

  /** Its instance is gone, and every pod with it. */
  public void terminate() {
    stop();
    pods.endAll();
  }

  // ---- pods

  /** A pod is placed on the node. */
  public void podArrives(Pod pod) {
    pods.arrive(pod);
    serve();
    if (pods.waiting() > 0 && source.writesSpec()) {
      changed();
    }
    pods.tellWaiting();
  }

  /** A pod ends; does nothing when it has left before. */
  public void podLeaves(Pod pod) {
    if (pod.isGone()) {
      return;
    }
    if (pods.leave(pod)) {
      changed();
      serve();
    }
    pods.tellWaiting();
  }

  private void serve() {
    if (!ready) {
      return;
    }
    if (pods.serve()) {
      changed();
    }
    OptionalLong more = source.usableAtNanos();
    if (more.isPresent() && pods.waiting() > 0 && !serving) {
      serving = true;
      process.at(more.getAsLong(), this::serveLater);
    }
  }

  private void serveLater() {
    serving = false;
    serve();
  }

  // ---- its object

  private boolean isMine(NodeResource resource) {
    return resource.instanceId().equals(Optional.of(instanceId));
  }

  /** The newest version of the object that this agent knows, never an older one than before. */
  private Optional<NodeResource> newest() {
    return line.orElseThrow().latest(node).filter(this::isMine);
  }

  private void look() {
    Optional<NodeResource> newest = newest();
    if (!ready || newest.isEmpty()) {
      return;
    }
    if (source.seen(newest.get(), pods.used(), pods.waiting())) {
      changed();
    }
    if (pods.waiting() > 0) {
      serve();
    }
  }

  private void changed() {
    writer.ifPresent(AgentWriter::changed);
  }

  private final class Pages implements AgentWriter.Pages {
    @Override
    public Optional<NodeResource> newest() {
      return SimulatedAgent.this.newest();
    }

    @Override
    public NodeResource wanted(NodeResource base) {
      source.seen(base, pods.used(), pods.waiting());
      return source.answered(base, pods.used(), pods.waiting());
    }

    @Override
    public void stored() {
      look();
    }
  }

  @Override
  public String toString() {
    return "agent of " + node + " on " + instanceId;
  }
}
