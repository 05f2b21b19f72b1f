package io.tidemark.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.Ipam;
import io.tidemark.cluster.NodeBackend;
import io.tidemark.config.Setting;
import io.tidemark.daemon.cni.CniHandler;
import io.tidemark.daemon.cni.CniStartup;
import io.tidemark.daemon.cni.TestAgent;
import io.tidemark.daemon.cni.TestAgent.Reply;
import io.tidemark.daemon.machine.Machine;
import io.tidemark.file.AtomicFile;
import io.tidemark.file.CrashingFiles;
import io.tidemark.ip.Cidr;
import io.tidemark.metrics.Meters;
import io.tidemark.program.SettingPlaces;
import io.tidemark.resource.InMemoryNodeResourceStore;
import io.tidemark.resource.InMemoryNodeResourceStore.DeliveryDelay;
import io.tidemark.resource.InMemoryNodeResourceStore.Interference;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.PodPools;
import io.tidemark.resource.PodPools.PoolCidrs;
import io.tidemark.resource.StoreResult;
import io.tidemark.time.EffectModel;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.VirtualProcess;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** An agent of mode multi-pool in virtual time; its file and its object outlive it. */
final class TestPoolAgent {
  private static final String NODE = "n1";

  final VirtualTime world = new VirtualTime(1_700_000_000_000L);
  final CrashingFiles files = new CrashingFiles();
  private final InMemoryNodeResourceStore server = new InMemoryNodeResourceStore();
  private final NodeResourceStore operator = server.client(world);
  private final AgentConfig config;
  private VirtualProcess process = world.process("agent");
  private CompletableFuture<Reply> last = new CompletableFuture<>();
  MultiPoolAddresses pools;
  private CniHandler handler;

  TestPoolAgent(String... settings) {
    List<Setting> given = new ArrayList<>();
    given.add(new Setting("ipam", "multi-pool", "test"));
    given.add(new Setting("enable-ipv6", "false", "test"));
    for (String each : settings) {
      int equals = each.indexOf('=');
      given.add(new Setting(each.substring(0, equals), each.substring(equals + 1), "test"));
    }
    config =
        AgentConfig.read(
            new SettingPlaces(
                given, Map.of(), Optional.empty(), Optional.empty(), Optional.empty()));
    server.create(NodeResource.named(NODE));
    start();
  }

  private void start() {
    process = world.process("agent");
    EffectRunner effects =
        process.effects(EffectModel.reliable(Duration.ofMillis(2), Duration.ofMillis(1)));
    NodeResourceStore store = server.client(NODE, process, DeliveryDelay.NONE, Interference.NONE);
    AtomicFile file = new AtomicFile(TestAgent.FILE, files);
    pools =
        new MultiPoolAddresses(
            new AgentNode(NODE, it -> nodes(store), Optional.empty(), "the test"),
            Machine.ANY,
            config,
            config.pools().orElseThrow(),
            CniStartup.remembered(file),
            nodes(store),
            Ipam.builder(process, new Random(5)).cooling(config.cooling()),
            new AgentRuntime(process, effects, process, new Random(5), Meters.none()));
    CompletableFuture<CniStartup.Started> started =
        new CniStartup(process, process, effects, NODE)
            .start(
                file,
                "boot-1",
                pools.ipam(),
                Meters.none(),
                new CniStartup.Service(
                    pools,
                    config.pool(),
                    config.prefix(),
                    config.gateway(),
                    config.health(),
                    config.addWait(),
                    config.cooling().pause(),
                    config.needed(),
                    pools::keptBy))
            .toCompletableFuture();
    pass(Duration.ofMillis(50));
    started.join().pools().run();
    handler = started.join().handler();
  }

  private static NodeBackend nodes(NodeResourceStore store) {
    return new NodeBackend() {
      @Override
      public NodeResourceStore store() {
        return store;
      }

      @Override
      public void close() {
        // there is nothing to close
      }
    };
  }

  /** Ends without a word, and starts again with what the file has. */
  void restart() {
    process.crash(VirtualProcess.OnTheWire.ARRIVES);
    files.restart();
    start();
  }

  void pass(Duration time) {
    world.runUntil(world.nanos() + time.toNanos());
  }

  // ---- the operator

  NodeResource object() {
    return server.find(NODE).orElseThrow();
  }

  /** The operator gives the pool exactly these CIDRs. */
  void offer(String pool, String... cidrs) {
    NodeResource before = ((StoreResult.Stored) operator.get(NODE)).resource();
    SortedMap<String, PoolCidrs> allocated = new TreeMap<>(before.pools().allocated());
    allocated.put(pool, PoolCidrs.of(Stream.of(cidrs).map(Cidr::parse).toArray(Cidr[]::new)));
    PodPools changed = new PodPools(before.pools().requested(), allocated);
    assertThat(operator.update(before, before.withPools(changed)))
        .isInstanceOf(StoreResult.Stored.class);
    pass(Duration.ofMillis(50));
  }

  List<String> allocated(String pool) {
    PoolCidrs cidrs = object().pools().allocated().get(pool);
    return cidrs == null ? List.of() : cidrs.cidrs().stream().map(Cidr::toString).toList();
  }

  /** The demand of each pool. */
  Map<String, Integer> requested() {
    Map<String, Integer> requested = new TreeMap<>();
    object().pools().requested().forEach((pool, demand) -> requested.put(pool, demand.ipv4()));
    return requested;
  }

  // ---- pods

  CompletableFuture<Reply> send(String command, String container, String pool) {
    String named = pool.isEmpty() ? "" : ",\"pool\":\"" + pool + "\"";
    String request = AgentRun.request(command, container, named);
    last = handler.answer(request).thenApply(Reply::of).toCompletableFuture();
    return last;
  }

  /** Sends, and lets 50 ms pass. */
  Reply ask(String command, String container, String pool) {
    send(command, container, pool);
    pass(Duration.ofMillis(50));
    return answered();
  }

  /** The last answer, if there is one. */
  Reply answered() {
    return last.getNow(new Reply(false, "{}"));
  }

  /** From now on nothing is answered. */
  void forgetAnswer() {
    last = new CompletableFuture<>();
  }

  /** The content of the file. */
  String fileText() {
    return TestAgent.content(files);
  }
}
