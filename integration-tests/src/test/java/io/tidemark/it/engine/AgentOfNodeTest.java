package io.tidemark.it.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.Allocation;
import io.tidemark.agent.AllocationResult;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.IpamBuilder;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.UpstreamSync;
import io.tidemark.agent.crd.CrdMode;
import io.tidemark.agent.crd.CrdNode;
import io.tidemark.agent.crd.LocalInterfaces;
import io.tidemark.agent.sync.NodeSync;
import io.tidemark.cluster.ObjectEvents;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.node.NodeManager;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.InMemoryNodeResourceStore;
import io.tidemark.resource.InMemoryNodeResourceStore.DeliveryDelay;
import io.tidemark.resource.InMemoryNodeResourceStore.Interference;
import io.tidemark.resource.IpamSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.time.EffectModel;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TriggerObserver;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The agent of a node whose pool our operator fills, on the mock cloud")
class AgentOfNodeTest {
  private static final String NODE = "n1";
  private static final PoolName POOL = new PoolName("default");
  private static final Duration RATE = Duration.ofSeconds(15);

  /** Three interfaces of ten addresses each, of which one is the interface's own. */
  private static final int MOST = 27;

  private static final int SPARE = 8;

  private final VirtualTime time = new VirtualTime(1_700_000_000_000L);
  private final MockAccount account = new MockAccount(time, List.of(NODE));
  private final EffectRunner requests =
      time.effects(EffectModel.reliable(Duration.ofMillis(5), Duration.ofMillis(5)));

  /** A server for both programs, where the agent creates the object. */
  private final InMemoryNodeResourceStore server = new InMemoryNodeResourceStore();

  private NodeResource object() {
    return server.find(NODE).orElseThrow();
  }

  private static NodeResource introduced() {
    return MockAccount.introduced(NODE, IpamSpec.of(SPARE, 0, 0, 0));
  }

  private NodeManager operator(NodeResourceStore store) {
    NodeManager manager =
        account.engine(
            EngineConfig.defaults().releasingAfter(Duration.ofSeconds(30)),
            store,
            time,
            task -> time.at(time.nanos(), task),
            requests,
            requests,
            ObjectEvents.NONE);
    manager.start();
    pass(2);
    store.watch(manager.watcher());
    return manager;
  }

  private Ipam agent(NodeResourceStore store) {
    IpamBuilder builder = Ipam.builder(time, new Random(1)).defaultPool(POOL);
    LocalInterfaces attached =
        (id, mac) ->
            account.cloud.state().attachedTo("i-" + NODE).stream()
                .anyMatch(it -> it.fixed().mac().equals(mac));
    CrdNode node =
        CrdNode.of(
            new CrdNode.Settings(
                NODE,
                CrdMode.ENI,
                Optional.of("i-" + NODE),
                POOL,
                Set.of(IpFamily.IPV4),
                RATE.multipliedBy(2),
                List.of()),
            attached,
            time,
            new Random(1),
            builder);
    NodeSync sync =
        new NodeSync(
            new NodeSync.Settings(
                NODE,
                Set.of(IpFamily.IPV4),
                RATE,
                Duration.ofSeconds(30),
                Optional.of(introduced()),
                TriggerObserver.NONE),
            store,
            requests,
            time,
            task -> time.at(time.nanos(), task),
            node);
    Ipam ipam = builder.upstream(sync).build();
    node.serve(ipam);
    sync.start();
    ipam.restoreFinished(IpFamily.IPV4);
    return ipam;
  }

  private void pass(long seconds) {
    time.runUntil(time.nanos() + Duration.ofSeconds(seconds).toNanos());
  }

  @Test
  @DisplayName(
      "A36 A43 Every address of the pool is handed out once, and given back by the handshake")
  void everyAddressOnce() {
    NodeManager manager = operator(server.client(time));
    Ipam ipam = agent(server.client(NODE, time, DeliveryDelay.NONE, Interference.NONE));
    Map<IpAddress, String> handedOut = new TreeMap<>();
    for (int round = 0; round < 12; round++) {
      pass(20);
      Allocation next = ipam.allocateNext(IpFamily.IPV4, "pod", POOL, UpstreamSync.NOW);
      while (next instanceof Allocation.Granted granted) {
        AllocationResult result = granted.result();
        String id = result.details().orElseThrow().id();
        assertThat(handedOut.put(result.ip(), id)).as("%s before", result.ip()).isNull();
        next = ipam.allocateNext(IpFamily.IPV4, "pod", POOL, UpstreamSync.NOW);
      }
    }
    assertThat(handedOut).hasSize(MOST).isEqualTo(account.secondaryAddresses(NODE));
    assertThat(account.hasPoolOf(object())).as("the pool is what pods have").isTrue();
    pass(20);
    assertThat(object().used().toList()).containsExactlyElementsOf(handedOut.keySet());

    List<IpAddress> pods = new ArrayList<>(handedOut.keySet());
    List<IpAddress> stay = pods.subList(0, 3);
    for (IpAddress each : pods.subList(3, pods.size())) {
      assertThat(ipam.release(each, POOL)).isEmpty();
    }
    pass(120);
    assertThat(account.secondaryAddresses(NODE)).as("they cool").hasSize(MOST);
    Set<IpAddress> released = new TreeSet<>();
    for (int looks = 0; looks < 120; looks++) {
      pass(5);
      object()
          .releaseIps()
          .forEach(
              (ip, state) -> {
                if (state == HandshakeState.RELEASED) {
                  released.add(ip);
                }
              });
    }
    Map<IpAddress, String> rest = account.secondaryAddresses(NODE);
    assertThat(rest)
        .hasSize(stay.size() + SPARE)
        .containsKeys(stay.toArray(IpAddress[]::new))
        .doesNotContainKeys(released.toArray(IpAddress[]::new));
    assertThat(released).hasSize(MOST - rest.size());
    assertThat(account.hasPoolOf(object())).isTrue();
    assertThat(object().releaseIps()).isEmpty();
    assertThat(object().used().toList()).containsExactlyElementsOf(stay);
    manager.close();
  }
}
