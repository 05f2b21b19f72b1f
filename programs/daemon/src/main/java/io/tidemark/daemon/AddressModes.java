package io.tidemark.daemon;

import io.tidemark.agent.Ipam;
import io.tidemark.agent.IpamBuilder;
import io.tidemark.agent.crd.CrdMode;
import io.tidemark.agent.crd.StartRule;
import io.tidemark.agent.delegated.DelegatedAllocator;
import io.tidemark.agent.eni.NativeRouting;
import io.tidemark.agent.hostscope.HostRange;
import io.tidemark.agent.multipool.RememberedCidr;
import io.tidemark.agent.sync.NodeReservations;
import io.tidemark.cluster.Backend;
import io.tidemark.cluster.ClaimBackend;
import io.tidemark.cluster.NodeBackend;
import io.tidemark.config.ConfigSource;
import io.tidemark.daemon.cni.NodeNetworks;
import io.tidemark.daemon.machine.Machine;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.StopSignal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Opens what has the addresses of an agent, by its mode. Used by the program's main thread. */
final class AddressModes {
  private volatile Optional<NodeBackend> backend = Optional.empty();
  private final AgentNode node;
  private final AgentConfig config;
  private final AgentRuntime runtime;
  private final StopSignal stop;
  private final Consumer<AutoCloseable> parts;

  /**
   * The addresses that an agent serves.
   *
   * @param networks of the addresses
   * @param origin of the addresses, for people
   * @param pools of CIDRs, if the node has such; they are waited for after restoration
   */
  record Served(
      Ipam ipam, NodeNetworks networks, String origin, Optional<MultiPoolAddresses> pools) {}

  /**
   * Nothing is open.
   *
   * @param parts takes what is to be closed, the last one first
   */
  AddressModes(
      AgentNode node,
      AgentConfig config,
      AgentRuntime runtime,
      StopSignal stop,
      Consumer<AutoCloseable> parts) {
    this.node = node;
    this.config = config;
    this.runtime = runtime;
    this.stop = stop;
    this.parts = parts;
  }

  /**
   * Opens it, and waits for addresses in the modes that have none without the node's object.
   *
   * @param remembered what the process before kept of CIDRs
   * @return empty when the agent is to stop before
   * @throws io.tidemark.error.IpamException with {@code NODE_WITHOUT_ADDRESSES} when the wait is
   *     over, or with {@code ROUTING_CIDR_CONTRADICTS}
   * @throws ExecutionException as {@link NodeIdAddresses#await}
   */
  Optional<Served> open(Supplier<Optional<List<RememberedCidr>>> remembered)
      throws InterruptedException, ExecutionException {
    if (config.mode() == AgentKey.Mode.DELEGATED_PLUGIN) {
      return Optional.of(delegated());
    }
    if (config.nodeId().isPresent()) {
      return subnetOfId(config.nodeId().get());
    }
    if (config.pools().isPresent()) {
      return Optional.of(poolsOfCidrs(config.pools().get(), remembered.get()));
    }
    Optional<CrdMode> mode = config.mode().pool();
    return mode.isPresent() ? poolOfObject(mode.get()) : podCidrs();
  }

  private IpamBuilder builder() {
    return Ipam.builder(runtime.scheduler(), runtime.random())
        .defaultPool(config.pool())
        .cooling(config.cooling())
        .metrics(runtime.metrics());
  }

  private Backend.Environment environment() {
    return new Backend.Environment(
        ConfigSource.of(Map.of()),
        runtime.scheduler(),
        runtime.requests(),
        runtime.random(),
        false);
  }

  private NodeBackend nodes() {
    NodeBackend opened = closed(node.source().open(environment()));
    backend = Optional.of(opened);
    return opened;
  }

  /** As {@link Backend#lateWatches}; any thread. */
  List<String> lateWatches() {
    return backend.map(Backend::lateWatches).orElse(List.of());
  }

  /** As {@link Backend#watchAges}; any thread. */
  Map<String, Duration> watchAges() {
    return backend.map(Backend::watchAges).orElse(Map.of());
  }

  private <T extends AutoCloseable> T closed(T part) {
    parts.accept(part);
    return part;
  }

  private Served delegated() {
    IpamBuilder builder = builder();
    config.families().forEach(family -> builder.allocator(new DelegatedAllocator(family)));
    return new Served(
        builder.build(),
        NodeNetworks.of(List.of()),
        "the delegated plugin, which has the addresses",
        Optional.empty());
  }

  private Optional<Served> subnetOfId(NodeIds settings)
      throws InterruptedException, ExecutionException {
    ClaimBackend claims = closed(node.claims().orElseThrow().open(environment()));
    NodeIdAddresses addresses = closed(new NodeIdAddresses(node, settings, claims, runtime));
    return addresses
        .await(config.startWait(), stop)
        .map(
            range ->
                new Served(
                    builder().allocator(range).build(),
                    NodeNetworks.of(List.of(range.subnet())),
                    range.origin() + ", by its node id",
                    Optional.empty()));
  }

  private Served poolsOfCidrs(PoolSettings settings, Optional<List<RememberedCidr>> remembered)
      throws InterruptedException {
    NodeBackend nodes = nodes();
    Machine machine = Machine.read(settings.cloud(), config.machine(), runtime.scheduler().time());
    MultiPoolAddresses pools =
        closed(
            new MultiPoolAddresses(
                node, machine, config, settings, remembered, nodes, builder(), runtime));
    return new Served(pools.ipam(), pools, pools.origin(), Optional.of(pools));
  }

  private Optional<Served> poolOfObject(CrdMode mode) throws InterruptedException {
    NodeBackend nodes = nodes();
    Machine machine = Machine.read(mode, config.machine(), runtime.scheduler().time());
    PoolWait wait =
        new PoolWait(
            nodes, node, mode, machine, new StartRule(config.health()), config.startWait(), stop);
    Optional<Set<IpFamily>> families = wait.families(config.families());
    if (families.isEmpty()) {
      return Optional.empty();
    }
    wait.object().ifPresent(it -> NativeRouting.require(it, config.nativeRouting()));
    PoolAddresses pool =
        closed(
            new PoolAddresses(
                node.name(),
                mode,
                machine,
                config,
                families.get(),
                nodes.store(),
                builder(),
                runtime));
    if (!wait.usable(pool.ipam(), families.get())) {
      return Optional.empty();
    }
    String origin = "spec.ipam.pool" + (wait.fewer().isEmpty() ? "" : ", " + wait.fewer());
    return Optional.of(new Served(pool.ipam(), pool, origin, Optional.empty()));
  }

  private Optional<Served> podCidrs() throws InterruptedException {
    NodeBackend nodes = nodes();
    PodCidrWatcher watch = new PodCidrWatcher(node.name(), node.place(), config.families());
    closed(nodes.store().watch(watch));
    Optional<List<Cidr>> blocks = watch.await(config.startWait(), stop, nodes::trouble);
    return blocks.map(
        found -> {
          IpamBuilder builder = builder();
          found.forEach(
              block -> builder.allocator(HostRange.of(block, runtime.random().nextLong())));
          Ipam ipam = builder.build();
          new NodeReservations().keep(watch.addresses(), List.of(config.pool()), ipam);
          return new Served(ipam, NodeNetworks.of(found), found.toString(), Optional.empty());
        });
  }
}
