package io.tidemark.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ip.IpAddress;
import io.tidemark.resource.InMemoryNodeResourceStore.DeliveryDelay;
import io.tidemark.resource.InMemoryNodeResourceStore.Interference;
import io.tidemark.resource.InMemoryNodeResourceStore.Operation;
import io.tidemark.testing.Samples;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The store in memory")
class InMemoryNodeResourceStoreTest {
  private static final IpAddress ADDRESS = IpAddress.parse("10.0.0.1");

  private final InMemoryNodeResourceStore server = new InMemoryNodeResourceStore();
  private final ManualScheduler scheduler = new ManualScheduler();
  private final RecordingWatcher watcher = new RecordingWatcher();

  private NodeResource created(String name) {
    return stored(server.create(Samples.node(name, 8, 0, 0)));
  }

  private static NodeResource stored(StoreResult result) {
    assertThat(result).isInstanceOf(StoreResult.Stored.class);
    return ((StoreResult.Stored) result).resource();
  }

  private NodeResourceStore client(long delayNanos) {
    return server.client(scheduler, () -> delayNanos, Interference.NONE);
  }

  @Test
  @DisplayName("a spec write ignores the status and the reverse")
  void halves() {
    NodeResourceStore client = client(0);
    NodeResource original = created("a");
    NodeResource changed =
        original
            .withPreAllocate(9)
            .withReleaseIps(Map.of(ADDRESS, HandshakeState.MARKED_FOR_RELEASE));
    NodeResource afterSpec = stored(client.update(original, changed));
    assertThat(afterSpec.ipam().preAllocate()).isEqualTo(9);
    assertThat(afterSpec.releaseIps()).isEmpty();
    NodeResource afterStatus =
        stored(
            client.updateStatus(
                afterSpec,
                afterSpec
                    .withPreAllocate(10)
                    .withReleaseIps(Map.of(ADDRESS, HandshakeState.MARKED_FOR_RELEASE))));
    assertThat(afterStatus.ipam().preAllocate()).isEqualTo(9);
    assertThat(afterStatus.releaseIps()).containsKey(ADDRESS);
  }

  @Test
  @DisplayName("an object is created without a status, and once")
  void create() {
    NodeResourceStore client = client(0);
    NodeResource wanted =
        Samples.node("a")
            .instanceId("i-1")
            .releaseIp("10.0.0.1", HandshakeState.MARKED_FOR_RELEASE)
            .build();
    NodeResource made = stored(client.create(wanted));
    assertThat(made.instanceId()).contains("i-1");
    assertThat(made.releaseIps()).isEmpty();
    assertThat(client.latest("a")).contains(made);
    assertThat(server.find("a")).contains(made);
    assertThat(client.create(wanted)).isInstanceOf(StoreResult.Conflict.class);
    NodeResourceStore cut =
        server.client(
            scheduler,
            DeliveryDelay.NONE,
            (operation, name) -> Optional.of(new StoreResult.Failed(operation + " " + name)));
    assertThat(cut.create(NodeResource.named("b"))).isEqualTo(new StoreResult.Failed("CREATE b"));
    assertThat(server.find("b")).isEmpty();
  }

  @Test
  @DisplayName("a write on an old version is a conflict, on an absent object it finds nothing")
  void conflicts() {
    NodeResourceStore client = client(0);
    NodeResource original = created("a");
    assertThat(server.touch("a")).isTrue();
    assertThat(client.update(original, original.withPreAllocate(9)))
        .isInstanceOf(StoreResult.Conflict.class);
    assertThat(server.create(original)).isInstanceOf(StoreResult.Conflict.class);
    NodeResource fresh = stored(client.get("a"));
    assertThat(server.delete("a")).isTrue();
    assertThat(client.update(fresh, fresh.withPreAllocate(9)))
        .isInstanceOf(StoreResult.NotFound.class);
    assertThat(client.get("a")).isInstanceOf(StoreResult.NotFound.class);
    assertThat(client.latest("a")).isEmpty();
    assertThat(server.delete("a")).isFalse();
    assertThat(server.touch("a")).isFalse();
  }

  @Test
  @DisplayName("NM-S3 equal content is no request")
  void unchanged() {
    List<Operation> requests = new ArrayList<>();
    NodeResourceStore client =
        server.client(
            scheduler,
            DeliveryDelay.NONE,
            (operation, name) -> {
              requests.add(operation);
              return Optional.empty();
            });
    NodeResource original = created("a");
    NodeResource same = TestResources.parse(NodeResourceJson.print(original));
    assertThat(client.update(original, same)).isInstanceOf(StoreResult.Unchanged.class);
    assertThat(client.updateStatus(original, same)).isInstanceOf(StoreResult.Unchanged.class);
    assertThat(requests).isEmpty();
    assertThat(server.find("a").orElseThrow().resourceVersion()).isEqualTo("1");
    assertThat(client.update(original, original.withPreAllocate(9)))
        .isInstanceOf(StoreResult.Stored.class);
    assertThat(requests).containsExactly(Operation.UPDATE);
  }

  @Test
  @DisplayName("N2 a negative watermark is refused as the schema does")
  void negative() {
    NodeResource original = created("a");
    assertThat(client(0).update(original, original.withPreAllocate(-1)))
        .isInstanceOfSatisfying(
            StoreResult.Refused.class, failed -> assertThat(failed.detail()).contains("-1"));
    assertThat(server.create(Samples.node("b", -1, 0, 0))).isInstanceOf(StoreResult.Refused.class);
    assertThat(server.find("b")).isEmpty();
  }

  @Test
  @DisplayName("a watch shows all objects, then synced, then changes, each after its delay")
  void watch() {
    created("a");
    created("b");
    NodeResourceStore client = client(10);
    client.watch(watcher);
    NodeResource c = created("c");
    scheduler.pass(9);
    assertThat(watcher.take()).isEmpty();
    scheduler.pass(1);
    assertThat(watcher.take()).containsExactly("a@1", "b@2", "synced", "c@3");
    server.touch("c");
    server.delete("a");
    scheduler.pass(5);
    server.touch("b");
    assertThat(client.latest("c")).contains(c);
    scheduler.pass(5);
    assertThat(watcher.take()).containsExactly("c@4", "-a");
    assertThat(client.latest("a")).isEmpty();
    scheduler.pass(5);
    assertThat(watcher.take()).containsExactly("b@6");
  }

  @Test
  @DisplayName("an agent's watch shows its own object alone")
  void oneObject() {
    created("a");
    NodeResourceStore agent = server.client("b", scheduler, DeliveryDelay.NONE, Interference.NONE);
    agent.watch(watcher);
    created("b");
    server.touch("a");
    scheduler.pass(1);
    assertThat(watcher.take()).containsExactly("synced", "b@2");
  }

  @Test
  @DisplayName("many waiting changes of one object are bounded, and the newest arrives")
  void bounded() {
    created("a");
    client(10).watch(watcher);
    scheduler.pass(10);
    watcher.take();
    for (int i = 0; i < 1_000; i++) {
      server.touch("a");
    }
    assertThat(scheduler.pending()).isEqualTo(8);
    scheduler.pass(10);
    assertThat(watcher.take()).hasSize(8).endsWith("a@1001");
  }

  @Test
  @DisplayName("after close nothing is delivered, and the client can be watched anew")
  void close() {
    NodeResourceStore client = client(10);
    NodeResourceStore.Watch watch = client.watch(watcher);
    assertThatThrownBy(() -> client.watch(watcher)).isInstanceOf(IllegalStateException.class);
    created("a");
    watch.close();
    scheduler.pass(100);
    assertThat(watcher.take()).isEmpty();
    client.watch(watcher);
    watch.close();
    created("b");
    scheduler.pass(100);
    assertThat(watcher.take()).containsExactly("a@1", "synced", "b@2");
  }

  @Test
  @DisplayName("random clients never see an object go back, and end at the truth")
  void randomClients() {
    for (long seed = 0; seed < 200; seed++) {
      randomClients(seed);
    }
  }

  private static void randomClients(long seed) {
    Random random = new Random(seed);
    InMemoryNodeResourceStore server = new InMemoryNodeResourceStore();
    ManualScheduler scheduler = new ManualScheduler();
    List<NodeResourceStore> clients = new ArrayList<>();
    List<MonotoneWatcher> watchers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      NodeResourceStore client =
          server.client(scheduler, () -> random.nextInt(50), Interference.NONE);
      MonotoneWatcher watcher = new MonotoneWatcher("seed " + seed + " client " + i);
      client.watch(watcher);
      clients.add(client);
      watchers.add(watcher);
    }
    for (int step = 0; step < 200; step++) {
      String name = "n" + random.nextInt(3);
      int who = random.nextInt(clients.size());
      NodeResourceStore client = clients.get(who);
      switch (random.nextInt(6)) {
        case 0 -> server.create(Samples.node(name, 8, 0, 0));
        case 1 -> server.touch(name);
        case 2 -> {
          if (random.nextInt(4) == 0) {
            server.delete(name);
          }
        }
        case 3 -> watchers.get(who).answered(client.get(name));
        case 4 ->
            client
                .latest(name)
                .ifPresent(
                    known ->
                        watchers
                            .get(who)
                            .answered(
                                client.update(known, known.withPreAllocate(random.nextInt(100)))));
        default -> scheduler.pass(random.nextInt(40));
      }
    }
    scheduler.pass(1_000);
    for (int i = 0; i < clients.size(); i++) {
      for (String name : List.of("n0", "n1", "n2")) {
        assertThat(clients.get(i).latest(name)).as("seed %d", seed).isEqualTo(server.find(name));
        assertThat(watchers.get(i).present(name))
            .as("seed %d", seed)
            .isEqualTo(server.find(name).isPresent());
      }
    }
  }

  /** Fails when an object's version falls. */
  private static final class MonotoneWatcher implements NodeResourceStore.Watcher {
    private final String label;
    private final Map<String, Long> newest = new HashMap<>();
    private final Map<String, Boolean> present = new HashMap<>();

    MonotoneWatcher(String label) {
      this.label = label;
    }

    void answered(StoreResult result) {
      if (result instanceof StoreResult.Stored stored) {
        seen(stored.resource());
      }
    }

    boolean present(String name) {
      return present.getOrDefault(name, false);
    }

    private void seen(NodeResource resource) {
      long version = Long.parseLong(resource.resourceVersion());
      assertThat(version)
          .as(label)
          .isGreaterThanOrEqualTo(newest.getOrDefault(resource.name(), 0L));
      newest.put(resource.name(), version);
    }

    @Override
    public void upserted(NodeResource resource) {
      seen(resource);
      present.put(resource.name(), true);
    }

    @Override
    public void deleted(String name) {
      present.put(name, false);
    }

    @Override
    public void refused(String name, List<ResourceProblem> problems) {
      throw new AssertionError(label);
    }

    @Override
    public void synced() {}
  }
}
