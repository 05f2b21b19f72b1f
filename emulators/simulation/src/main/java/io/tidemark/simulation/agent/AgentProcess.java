package io.tidemark.simulation.agent;

import io.tidemark.agent.Allocation.Granted;
import io.tidemark.agent.CoolingRule;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.IpamBuilder;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.UpstreamSync;
import io.tidemark.agent.sync.NodePart;
import io.tidemark.agent.sync.NodeSync;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.resource.NodeResource;
import io.tidemark.simulation.scenario.NodeGroup.AgentShape;
import io.tidemark.simulation.store.StoreLine;
import io.tidemark.time.TriggerObserver;
import io.tidemark.time.VirtualProcess;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * One process of an agent, from its start to its end: {@link Ipam} and {@link NodeSync} of the
 * product on a virtual process. It restores the addresses of the node's pods before it serves, as
 * the program of a node does. Used by the simulation's thread alone.
 */
final class AgentProcess {
  static final PoolName POOL = new PoolName("default");

  /**
   * A pod that got no address of pools asks again: as long as the program lets an ADD wait. Where
   * the object lists single addresses, pods ask when it has changed.
   */
  private static final Duration ASK_AGAIN = Duration.ofSeconds(10);

  private final SimulatedAgent agent;
  private final VirtualProcess process;
  private final Set<IpFamily> families;
  private final AgentNumbers numbers = new AgentNumbers();
  private final StoreLine line;
  private final NodePart part;
  private final NodeSync sync;
  private final Ipam ipam;
  private boolean asksAgain;

  /** Nothing happens before {@link #start}. */
  AgentProcess(
      AgentWorld world,
      SimulatedAgent agent,
      VirtualProcess process,
      AgentShape shape,
      Set<String> foreignInterfaces) {
    this.agent = agent;
    this.process = process;
    this.families = world.families();
    IpamBuilder builder =
        Ipam.builder(process, new Random(world.random().nextLong()))
            .cooling(new CoolingRule(shape.cooldown(), Duration.ZERO))
            .defaultPool(POOL);
    AgentMode mode =
        AgentMode.of(world, agent, shape, foreignInterfaces, process.time(), builder, numbers);
    this.part = new Served(mode.part());
    this.line =
        new StoreLine(
            () -> world.server().client(agent.node(), process, world.delay(), world.interference()),
            process,
            world.delay(),
            world.network());
    this.sync =
        new NodeSync(
            new NodeSync.Settings(
                agent.node(),
                families,
                shape.updateRate(),
                world.requestTimeout(),
                Optional.empty(),
                TriggerObserver.NONE),
            line,
            line.effects(),
            process,
            process,
            part);
    this.ipam = mode.publishedBy(sync);
  }

  /** Serves pods when the pool may have changed. */
  private final class Served implements NodePart {
    private final NodePart part;

    private Served(NodePart part) {
      this.part = part;
    }

    @Override
    public Half half() {
      return part.half();
    }

    @Override
    public boolean isOurs(NodeResource resource) {
      return part.isOurs(resource);
    }

    @Override
    public void restored() {
      part.restored();
    }

    @Override
    public void gone() {
      part.gone();
    }

    @Override
    public NodeResource applied(NodeResource base) {
      NodeResource applied = part.applied(base);
      if (agent.waiting() > 0) {
        process.execute(
            () -> {
              if (ipam.unable().isEmpty()) {
                agent.serve();
              }
            });
      }
      return applied;
    }

    @Override
    public NodeResource cleared(NodeResource base) {
      return part.cleared(base);
    }

    @Override
    public CompletionStage<Optional<String>> persist() {
      return part.persist();
    }

    @Override
    public OptionalLong nextLookNanos() {
      return part.nextLookNanos();
    }
  }

  /** Restores the addresses of the pods, watches the object and begins to work. */
  void start() {
    agent
        .used()
        .forEach(
            (ip, pod) -> {
              if (!(ipam.restore(ip, pod.fullName(), POOL) instanceof Granted)) {
                throw new IllegalStateException(ip + " of " + pod + " cannot be restored");
              }
            });
    families.forEach(ipam::restoreFinished);
    sync.start();
  }

  /** An address for a pod; empty when there is none now, and the pod waits on. */
  Optional<IpAddress> next(Pod pod) {
    if (ipam.allocateNext(IpFamily.IPV4, pod.fullName(), POOL, UpstreamSync.NOW)
        instanceof Granted granted) {
      return Optional.of(granted.result().ip());
    }
    if (agent.multiPool()) {
      askAgain();
    }
    return Optional.empty();
  }

  private void askAgain() {
    if (!asksAgain) {
      asksAgain = true;
      process.after(
          ASK_AGAIN,
          () -> {
            asksAgain = false;
            agent.serve();
          });
    }
  }

  /** The pod that had an address has ended. */
  void released(IpAddress address) {
    ipam.release(address, POOL)
        .ifPresent(
            denial -> {
              throw new IllegalStateException(address + " cannot be released: " + denial);
            });
  }

  /** Whether its object does not yet say all that it knows, or will say something else in time. */
  boolean hasUnwritten() {
    Optional<NodeResource> newest = line.latest(agent.node()).filter(part::isOurs);
    return newest.isPresent()
        && (!isSame(newest.get(), part.applied(newest.get()))
            || !isClear(newest.get())
            || numbers.changeWithTime(agent.waiting()));
  }

  private boolean isClear(NodeResource newest) {
    NodeResource cleared = part.cleared(newest);
    return newest.sameSpec(cleared) && newest.sameStatus(cleared);
  }

  private boolean isSame(NodeResource base, NodeResource applied) {
    return part.half() == NodePart.Half.SPEC ? base.sameSpec(applied) : base.sameStatus(applied);
  }

  /** Its process ends. */
  void stop() {
    sync.close();
  }
}
