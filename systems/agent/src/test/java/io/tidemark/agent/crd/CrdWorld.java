package io.tidemark.agent.crd;

import static io.tidemark.agent.TestNode.denied;
import static io.tidemark.agent.TestNode.granted;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.Allocation;
import io.tidemark.agent.AllocationResult;
import io.tidemark.agent.CoolingRule;
import io.tidemark.agent.Denial;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.IpamBuilder;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.PoolSnapshot;
import io.tidemark.agent.UpstreamSync;
import io.tidemark.agent.sync.NodeSync;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.InMemoryNodeResourceStore;
import io.tidemark.resource.InMemoryNodeResourceStore.DeliveryDelay;
import io.tidemark.resource.InMemoryNodeResourceStore.Operation;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.StoreResult;
import io.tidemark.resource.UsedAddress;
import io.tidemark.testing.NodeSample;
import io.tidemark.testing.Samples;
import io.tidemark.time.EffectModel;
import io.tidemark.time.TriggerObserver;
import io.tidemark.time.VirtualProcess;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A node's object on an in-memory server, its agent, and the other writers of the object. */
final class CrdWorld {
  static final PoolName POOL = new PoolName("default");
  static final String NODE = "worker-a";
  static final Duration RATE = Duration.ofSeconds(15);
  static final Duration GRACE = Duration.ofSeconds(30);
  private static final Duration LATENCY = Duration.ofMillis(5);

  final VirtualTime time = new VirtualTime(0);
  final InMemoryNodeResourceStore server = new InMemoryNodeResourceStore();
  final NodeResourceStore operator = server.client(time);
  final Set<String> absent = new HashSet<>();

  /** Requests of the agent that reached the server, and when in seconds. */
  final List<String> requests = new ArrayList<>();

  CrdMode mode = CrdMode.ENI;
  Set<IpFamily> families = EnumSet.of(IpFamily.IPV4);
  Optional<String> instance = Optional.empty();
  CoolingRule cooling = CoolingRule.OFF;
  Optional<NodeResource> initial = Optional.empty();

  /** The result of a request in place of being served. */
  Function<Operation, Optional<StoreResult>> faults = operation -> Optional.empty();

  private VirtualProcess process = time.process("agent");
  private @Nullable NodeSync sync;
  private @Nullable Ipam ipam;

  // ---- the object

  /** An object with these addresses of the interface eni-1, as the operator leaves it. */
  static NodeSample sample(String... addresses) {
    return Samples.node(NODE)
        .instanceId("i-1")
        .pool("eni-1", addresses)
        .eni(Samples.eni("eni-1", 1, addresses));
  }

  void object(NodeResource resource) {
    assertThat(server.create(resource)).isInstanceOf(StoreResult.Stored.class);
    pass(Duration.ofMillis(20));
  }

  /** Somebody else writes spec and status. */
  void edit(UnaryOperator<NodeResource> change) {
    editSilently(change);
    pass(Duration.ofMillis(20));
  }

  void editSilently(UnaryOperator<NodeResource> change) {
    NodeResource before = stored(operator.get(NODE));
    NodeResource after = change.apply(before);
    NodeResource spec = written(before, operator.update(before, after));
    NodeResource status = after.withResourceVersion(spec.resourceVersion());
    written(spec, operator.updateStatus(spec, status));
  }

  private static NodeResource written(NodeResource before, StoreResult result) {
    return result instanceof StoreResult.Unchanged ? before : stored(result);
  }

  private static NodeResource stored(StoreResult result) {
    assertThat(result).isInstanceOf(StoreResult.Stored.class);
    return ((StoreResult.Stored) result).resource();
  }

  void mark(String ip, HandshakeState state) {
    edit(node -> node.withReleaseIps(marks(node, ip, state)));
  }

  void withdraw(String ip) {
    edit(
        node -> {
          Map<IpAddress, HandshakeState> marks = new TreeMap<>(node.releaseIps());
          marks.remove(IpAddress.parse(ip));
          return node.withReleaseIps(marks);
        });
  }

  static Map<IpAddress, HandshakeState> marks(NodeResource node, String ip, HandshakeState state) {
    Map<IpAddress, HandshakeState> marks = new TreeMap<>(node.releaseIps());
    marks.put(IpAddress.parse(ip), state);
    return marks;
  }

  /** The object's state of an address. */
  Optional<HandshakeState> state(String ip) {
    return Optional.ofNullable(now().releaseIps().get(IpAddress.parse(ip)));
  }

  Map<String, UsedAddress> used() {
    Map<String, UsedAddress> used = new TreeMap<>();
    now().usedEntries().forEach((ip, entry) -> used.put(ip.toString(), entry));
    return used;
  }

  NodeResource now() {
    return server.find(NODE).orElseThrow();
  }

  // ---- the agent

  /** An agent begins, with its pods' addresses restored. */
  CrdWorld start(String... pods) {
    begin();
    for (String each : pods) {
      assertThat(ipam().restore(IpAddress.parse(each), "pod-" + each, POOL))
          .isInstanceOf(Allocation.Granted.class);
    }
    finish();
    return this;
  }

  /** An agent begins and does not know yet what its pods have. */
  void begin() {
    process = time.process("agent");
    NodeResourceStore store = server.client(NODE, process, DeliveryDelay.NONE, this::intercept);
    IpamBuilder builder = Ipam.builder(process, new Random(1)).cooling(cooling).defaultPool(POOL);
    CrdNode node =
        CrdNode.of(
            new CrdNode.Settings(NODE, mode, instance, POOL, families, GRACE, List.of()),
            (id, mac) -> !absent.contains(id),
            process.time(),
            new Random(1),
            builder);
    NodeSync started =
        new NodeSync(
            new NodeSync.Settings(
                NODE, families, RATE, Duration.ofSeconds(30), initial, TriggerObserver.NONE),
            store,
            process.effects(EffectModel.reliable(LATENCY, LATENCY)),
            process,
            process,
            node);
    ipam = builder.upstream(started).build();
    node.serve(ipam);
    started.start();
    sync = started;
    pass(Duration.ofMillis(20));
  }

  void finish() {
    families.forEach(ipam()::restoreFinished);
    pass(Duration.ofMillis(20));
  }

  private Optional<StoreResult> intercept(Operation operation, String name) {
    requests.add(operation + " at " + time.nanos() / 1_000_000_000);
    return faults.apply(operation);
  }

  void crash() {
    process.crash(VirtualProcess.OnTheWire.ARRIVES);
  }

  void close() {
    if (sync != null) {
      sync.close();
    }
  }

  Ipam ipam() {
    return Objects.requireNonNull(ipam);
  }

  long writes() {
    return requests.stream().filter(each -> each.startsWith("UPDATE_STATUS")).count();
  }

  void pass(Duration duration) {
    time.runUntil(time.nanos() + duration.toNanos());
  }

  // ---- requests

  AllocationResult take(String ip, String owner) {
    return granted(ipam().allocate(IpAddress.parse(ip), owner, POOL, UpstreamSync.NOW));
  }

  Denial refused(String ip) {
    return denied(ipam().allocate(IpAddress.parse(ip), "other", POOL, UpstreamSync.NOW));
  }

  AllocationResult next(String owner) {
    return granted(ipam().allocateNext(IpFamily.IPV4, owner, POOL, UpstreamSync.NOW));
  }

  Denial refusedNext() {
    return refusedNext("other");
  }

  Denial refusedNext(String owner) {
    return denied(ipam().allocateNext(IpFamily.IPV4, owner, POOL, UpstreamSync.NOW));
  }

  void release(String ip) {
    assertThat(ipam().release(IpAddress.parse(ip), POOL)).isEmpty();
  }

  PoolSnapshot pool() {
    return ipam().snapshot().get(0);
  }
}
