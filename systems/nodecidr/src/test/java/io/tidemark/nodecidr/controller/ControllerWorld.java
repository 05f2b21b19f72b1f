package io.tidemark.nodecidr.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNode.PodCidrs;
import io.tidemark.cluster.ClusterNodeStore;
import io.tidemark.cluster.InMemoryClusterNodes;
import io.tidemark.cluster.InMemoryClusterNodes.Interference;
import io.tidemark.cluster.InMemoryClusterNodes.Request;
import io.tidemark.cluster.NodeChange;
import io.tidemark.cluster.run.ControllerParts;
import io.tidemark.ip.Cidr;
import io.tidemark.metrics.TestMeters;
import io.tidemark.nodecidr.CidrWorld;
import io.tidemark.nodecidr.TestCidrs;
import io.tidemark.nodecidr.cloud.CloudSource;
import io.tidemark.resource.InMemoryNodeResourceStore.DeliveryDelay;
import io.tidemark.time.EffectFate;
import io.tidemark.time.EffectModel;
import io.tidemark.time.EffectSite;
import io.tidemark.time.VirtualProcess;
import io.tidemark.time.VirtualProcess.OnTheWire;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A cluster with one controller: nodes on an API server in memory, requests that take 10 ms, and
 * what was reported. Requests can be made to end otherwise, one after the other.
 */
final class ControllerWorld extends CidrWorld {
  static final String OTHER = "kube-controller-manager";
  static final Duration COOLDOWN = Duration.ofSeconds(60);
  private static final long TRAVEL_NANOS = Duration.ofMillis(5).toNanos();

  final InMemoryClusterNodes server = new InMemoryClusterNodes(time);

  /** How the next writes to a node end in place of being served. */
  private final Map<String, Deque<NodeChange>> endings = new HashMap<>();

  /** The fates of the next writes. */
  final Deque<EffectFate> fates = new ArrayDeque<>();

  /** The fates of the next reads. */
  final Deque<EffectFate> readFates = new ArrayDeque<>();

  /** Whether there is a lease, and what it says. */
  boolean hasLease;

  String note = "";
  boolean leaseAnswers = true;
  boolean leads = true;
  boolean readsFail;
  boolean listsFail;
  DeliveryDelay delay = DeliveryDelay.NONE;
  UnaryOperator<ClusterNodeStore> wrapped = store -> store;
  Optional<Function<VirtualProcess, CloudSource>> cloud = Optional.empty();
  final TestMeters measured = new TestMeters();
  ControllerSettings settings;
  NodeCidrController controller;
  VirtualProcess process;
  int inFlight;
  int inFlightMax;

  /** Ranges as {@link TestCidrs} reads them. */
  ControllerWorld(String ranges) {
    this(ranges, false);
  }

  ControllerWorld(String ranges, boolean strict) {
    process = time.process("operator");
    settings =
        new ControllerSettings(
            TestCidrs.of(ranges), COOLDOWN, strict, 4, Duration.ofSeconds(10), MANAGER);
    controller = controller();
  }

  /** A controller of these settings, not started. */
  NodeCidrController controller() {
    process = time.process("operator");
    Interference interference =
        (request, name) -> {
          requests.add((request + " " + name).strip());
          if (request == Request.ASSIGN || request == Request.NETWORK_AVAILABLE) {
            return Optional.ofNullable(endings.get(name)).map(Deque::poll);
          }
          return (request == Request.GET && readsFail) || (request == Request.LIST && listsFail)
              ? Optional.of(new NodeChange.Unknown("out of order"))
              : Optional.empty();
        };
    ClusterNodeStore store =
        wrapped.apply(server.client(MANAGER, process, () -> delay.nanos(), interference));
    ControllerParts parts =
        new ControllerParts(
            store,
            this,
            measured.meters,
            process.effects(new Network()),
            process,
            process,
            () -> leads,
            new Random(1));
    return new NodeCidrController(
        settings,
        parts,
        cloud.map(it -> it.apply(process)),
        hasLease ? Optional.of(this::publish) : Optional.empty());
  }

  private CompletionStage<Boolean> publish() {
    CompletableFuture<Boolean> stored = new CompletableFuture<>();
    process.after(
        Duration.ofMillis(10),
        () -> {
          if (leaseAnswers) {
            note = controller.notes().getOrDefault(NodeCidrController.NOTE, note);
          }
          stored.complete(leaseAnswers);
        });
    return stored;
  }

  /** Builds the controller again, after a setting of this world was changed. */
  ControllerWorld rebuilt() {
    controller = controller();
    return this;
  }

  /** The process of the controller ends; its requests on the wire arrive. */
  void crash() {
    process.crash(OnTheWire.ARRIVES);
  }

  /** Whether it has begun. */
  boolean start() {
    return start(CidrTakeOver.clean());
  }

  boolean start(CidrTakeOver before) {
    var started = controller.start(() -> before).toCompletableFuture();
    settle();
    return started.getNow(false);
  }

  ClusterNode create(String name) {
    return server.create(ClusterNode.named(name, "")).orElseThrow();
  }

  /** Nodes without CIDRs, each served before the next one comes. */
  void serve(String... names) {
    for (String name : names) {
      create(name);
      settle();
    }
  }

  /** A node that has CIDRs when it is created. */
  ClusterNode create(String name, String... cidrs) {
    ClusterNode node = ClusterNode.named(name, "");
    return server
        .create(node.withPodCidrs(new PodCidrs(cidrs[0], List.of(cidrs), Optional.of("before-us"))))
        .orElseThrow();
  }

  NodeChange assignByOther(String name, String... cidrs) {
    List<Cidr> blocks = Stream.of(cidrs).map(Cidr::parse).toList();
    return server.assign(OTHER, name, server.find(name).orElseThrow().uid(), blocks);
  }

  @Override
  public String cidrsOf(String name) {
    return server
        .find(name)
        .map(node -> String.join(" ", node.podCidrs().texts()))
        .orElse("no such node");
  }

  @Override
  protected CidrNodeReport reportOf(String name) {
    return controller.report(name).orElseThrow();
  }

  /** How many nodes are in a state. */
  long in(CidrNodeReport.State state) {
    return controller.nodes().stream().filter(each -> each.state() == state).count();
  }

  /** The next writes to a node end so, and are not served. */
  void answer(String name, NodeChange... next) {
    endings.computeIfAbsent(name, key -> new ArrayDeque<>()).addAll(List.of(next));
  }

  long count(String request) {
    return requests.stream().filter(request::equals).count();
  }

  void assertUsed(long claimed, long reserved, long cooling) {
    var usage = controller.ranges().get(0);
    assertThat(List.of(usage.claimed(), usage.reserved(), usage.cooling()))
        .as("claimed, reserved, cooling")
        .containsExactly(claimed, reserved, cooling);
  }

  private final class Network implements EffectModel {
    @Override
    public EffectFate decide(EffectSite site, Duration timeout) {
      inFlight++;
      inFlightMax = Math.max(inFlightMax, inFlight);
      EffectFate fate = (site.operation().startsWith("assign") ? fates : readFates).poll();
      return fate == null
          ? new EffectFate(TRAVEL_NANOS, TRAVEL_NANOS, EffectFate.Loss.NOTHING)
          : fate;
    }

    @Override
    public void executed(EffectSite site) {
      inFlight--;
    }
  }
}
