package io.tidemark.simulation.agent;

import io.tidemark.agent.Ipam;
import io.tidemark.agent.IpamBuilder;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.Upstream;
import io.tidemark.agent.crd.CrdNode;
import io.tidemark.agent.crd.LocalInterfaces;
import io.tidemark.agent.eni.InterfaceRanges;
import io.tidemark.agent.multipool.DemandRule;
import io.tidemark.agent.multipool.MultiPool;
import io.tidemark.agent.multipool.MultiPoolRules;
import io.tidemark.agent.multipool.QuarantineRule;
import io.tidemark.agent.multipool.RangeSource;
import io.tidemark.agent.sync.NodePart;
import io.tidemark.simulation.scenario.NodeGroup.AgentShape;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Where an agent's addresses come from: the pool in its object, or the CIDRs of its interfaces.
 *
 * @param part what it reads and writes in the object
 * @param facade who allocates, given who publishes; called once
 */
record AgentMode(NodePart part, Function<Upstream, Ipam> facade) {
  private static final PoolName POOL = AgentProcess.POOL;

  /** Free addresses to have at hand when the object does not say. */
  private static final int PRE_ALLOCATE = 8;

  private static final Duration RECLAIM_QUARANTINE = Duration.ofMinutes(4);
  private static final Duration OFFER_GRACE = Duration.ofMinutes(1);

  /** The mode of an agent on {@code world}'s cloud. */
  static AgentMode of(
      AgentWorld world,
      SimulatedAgent agent,
      AgentShape shape,
      Set<String> foreignInterfaces,
      TimeSource time,
      IpamBuilder builder,
      AgentNumbers numbers) {
    LocalInterfaces here = (id, mac) -> !foreignInterfaces.contains(id);
    return shape.multiPool()
        ? multiPool(world, agent, shape, here, time, builder, numbers)
        : onePool(world, agent, shape, here, time, builder, numbers);
  }

  private static AgentMode onePool(
      AgentWorld world,
      SimulatedAgent agent,
      AgentShape shape,
      LocalInterfaces here,
      TimeSource time,
      IpamBuilder builder,
      AgentNumbers numbers) {
    CrdNode.Settings settings =
        new CrdNode.Settings(
            agent.node(),
            world.mode(),
            Optional.of(agent.instanceId()),
            POOL,
            world.families(),
            shape.updateRate().multipliedBy(2),
            List.of());
    CrdNode node = CrdNode.of(settings, here, time, new Random(world.random().nextLong()), builder);
    return new AgentMode(
        node,
        publisher -> {
          Ipam ipam = builder.metrics(numbers.meters).upstream(publisher).build();
          node.serve(ipam);
          return ipam;
        });
  }

  private static AgentMode multiPool(
      AgentWorld world,
      SimulatedAgent agent,
      AgentShape shape,
      LocalInterfaces here,
      TimeSource time,
      IpamBuilder builder,
      AgentNumbers numbers) {
    MultiPoolRules rules =
        new MultiPoolRules(
            world.families(),
            Map.of(POOL, PRE_ALLOCATE),
            DemandRule.LINEAR,
            QuarantineRule.of(shape.updateRate(), RECLAIM_QUARANTINE),
            OFFER_GRACE);
    RangeSource source =
        world.mode().isCloud()
            ? new InterfaceRanges(world.mode(), POOL, here, List.of())
            : RangeSource.ALLOCATED;
    MultiPool.Origin origin =
        new MultiPool.Origin(
            Optional.of(agent.instanceId()), world.random().nextLong(), agent.remembered());
    MultiPool pools = new MultiPool(builder, rules, source, origin, time, numbers.meters);
    pools.keptBy(
        all -> {
          agent.remember(all);
          return CompletableFuture.completedStage(Optional.empty());
        });
    return new AgentMode(
        pools,
        publisher -> {
          pools.publishedBy(publisher);
          return pools.ipam();
        });
  }

  /** Who allocates, from now on published by {@code publisher}. */
  Ipam publishedBy(Upstream publisher) {
    return facade.apply(publisher);
  }
}
