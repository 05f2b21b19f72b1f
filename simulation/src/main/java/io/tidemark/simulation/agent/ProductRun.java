package io.tidemark.simulation.agent;

import io.tidemark.agent.Allocation.Granted;
import io.tidemark.agent.CoolingRule;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.IpamBuilder;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.UpstreamSync;
import io.tidemark.agent.crd.CrdNode;
import io.tidemark.agent.sync.NodePart;
import io.tidemark.agent.sync.NodeSync;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.resource.NodeResource;
import io.tidemark.simulation.store.StoreLine;
import io.tidemark.time.VirtualProcess;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;

/**
 * The agent of the product: {@link Ipam} and {@link NodeSync} on a virtual process. An agent that
 * restarts restores the addresses of its pods before it serves, as the program of a node does.
 */
final class ProductRun implements AgentRun {
  private static final PoolName POOL = new PoolName("default");
  private static final Set<IpFamily> FAMILIES = EnumSet.of(IpFamily.IPV4);

  private final SimulatedAgent agent;
  private final VirtualProcess process;
  private final Ipam ipam;
  private final NodePart part;
  private final StoreLine line;
  private final NodeSync sync;

  ProductRun(
      AgentWorld world,
      SimulatedAgent agent,
      VirtualProcess process,
      Duration updateRate,
      Set<String> foreignInterfaces) {
    this.agent = agent;
    this.process = process;
    IpamBuilder builder =
        Ipam.builder(process, new Random(world.random().nextLong()))
            .cooling(CoolingRule.DEFAULT)
            .defaultPool(POOL);
    CrdNode.Settings settings =
        new CrdNode.Settings(
            agent.node(),
            world.mode(),
            Optional.of(agent.instanceId()),
            POOL,
            FAMILIES,
            updateRate.multipliedBy(2),
            List.of());
    CrdNode node =
        CrdNode.of(
            settings,
            (id, mac) -> !foreignInterfaces.contains(id),
            process.time(),
            new Random(world.random().nextLong()),
            builder);
    this.part = node;
    this.line =
        new StoreLine(
            () -> world.server().client(agent.node(), process, world.delay(), world.interference()),
            process,
            world.delay(),
            world.network());
    this.sync =
        new NodeSync(
            new NodeSync.Settings(
                agent.node(), FAMILIES, updateRate, world.requestTimeout(), Optional.empty()),
            line,
            line.effects(),
            process,
            process,
            new Seen());
    this.ipam = builder.upstream(sync).build();
    node.serve(ipam);
  }

  /** Serves pods when the pool may have changed. */
  private final class Seen implements NodePart {
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
        process.execute(agent::serve);
      }
      return applied;
    }

    @Override
    public OptionalLong nextLookNanos() {
      return part.nextLookNanos();
    }
  }

  @Override
  public void start() {
    agent
        .used()
        .forEach(
            (ip, pod) -> {
              if (!(ipam.restore(ip, pod.fullName(), POOL) instanceof Granted)) {
                throw new IllegalStateException(ip + " of " + pod + " cannot be restored");
              }
            });
    FAMILIES.forEach(ipam::restoreFinished);
    sync.start();
  }

  @Override
  public Optional<IpAddress> next(Pod pod) {
    return ipam.allocateNext(IpFamily.IPV4, pod.fullName(), POOL, UpstreamSync.NOW)
            instanceof Granted granted
        ? Optional.of(granted.result().ip())
        : Optional.empty();
  }

  @Override
  public void released(IpAddress address) {
    ipam.release(address, POOL)
        .ifPresent(
            denial -> {
              throw new IllegalStateException(address + " cannot be released: " + denial);
            });
  }

  @Override
  public void lacking() {
    // the operator counts pods by its own means
  }

  @Override
  public boolean hasUnwritten() {
    Optional<NodeResource> newest = line.latest(agent.node()).filter(part::isOurs);
    return newest.isPresent()
        && (ipam.snapshot().stream().anyMatch(pool -> pool.counts().cooling() > 0)
            || !isSame(newest.get(), part.applied(newest.get())));
  }

  private boolean isSame(NodeResource base, NodeResource applied) {
    return part.half() == NodePart.Half.SPEC ? base.sameSpec(applied) : base.sameStatus(applied);
  }

  @Override
  public long stop() {
    sync.close();
    return process.time().nanos();
  }
}
