package io.tidemark.kubernetes.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.kubernetes.server.ApiServer.User;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.kubernetes.store.StoreWorld.Told;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.PodIpPool;
import io.tidemark.resource.StoreResult;
import io.tidemark.resource.UsedAddress;
import io.tidemark.testing.Samples;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("kubernetes")
@DisplayName("CiliumNodes in a real API server (node-manager 1.1, 6)")
class StoreOnServerTest {
  @AutoClose private static StoreWorld world;

  @BeforeAll
  static void start() throws Exception {
    world = new StoreWorld();
  }

  @AfterEach
  void clear() {
    world.nodes.clear();
  }

  private static NodeResource node(String name) {
    return NodeResource.named(name).withInstanceId("i-" + name);
  }

  private static NodeResource stored(StoreResult result) {
    assertThat(result).isInstanceOf(StoreResult.Stored.class);
    return ((StoreResult.Stored) result).resource();
  }

  private static IpAddress address(String text) {
    return IpAddress.parse(text);
  }

  @Test
  @DisplayName("a watcher is told every object, then that it knows all, then what changes")
  void watch() throws Exception {
    world.nodes.create(node("n1"));
    world.nodes.create(node("n2"));
    KubernetesNodeResourceStore store = world.listed();
    Told told = new Told();
    store.watch(told);
    Eventually.holds("the list is delivered", () -> told.synced);
    assertThat(told.log).containsExactlyInAnyOrder("upserted n1", "upserted n2", "synced");
    assertThat(told.log).last().isEqualTo("synced");

    world.nodes.create(node("n3"));
    world.nodes.delete("n1");
    Eventually.holds("n3 came", () -> told.nodes.containsKey("n3"));
    Eventually.holds("n1 went", () -> !told.nodes.containsKey("n1"));
    assertThat(store.latest("n1")).isEmpty();
  }

  @Test
  @DisplayName("an object that was deleted and made again is told as an end and a beginning")
  void incarnations() throws Exception {
    world.nodes.create(node("n1"));
    KubernetesNodeResourceStore store = world.listed();
    Told told = new Told();
    store.watch(told);
    Eventually.holds("the list is delivered", () -> told.synced);
    world.nodes.delete("n1");
    world.nodes.create(node("n1"));
    Eventually.holds(
        "the new one is told",
        () -> told.log.size() >= 4 && told.log.get(told.log.size() - 1).equals("upserted n1"));
    assertThat(told.log).containsSubsequence("upserted n1", "deleted n1", "upserted n1");
  }

  @Test
  @DisplayName("an object is created without a status, and once")
  void create() throws Exception {
    KubernetesNodeResourceStore store = world.listed();
    NodeResource wanted =
        node("n1").withReleaseIps(Map.of(address("10.0.0.9"), HandshakeState.MARKED_FOR_RELEASE));
    NodeResource made = stored(store.create(wanted));
    assertThat(made.instanceId()).contains("i-n1");
    assertThat(made.releaseIps()).isEmpty();
    assertThat(store.latest("n1")).contains(made);
    assertThat(store.create(made)).isInstanceOf(StoreResult.Conflict.class);
    store.leads(() -> false, Optional.empty());
    assertThat(store.create(node("n2"))).isInstanceOf(StoreResult.Failed.class);
  }

  @Test
  @DisplayName(
      "a spec write leaves the status, a status write the spec; both answer the new version")
  void sections() throws Exception {
    NodeResource created = world.nodes.create(node("n1"));
    KubernetesNodeResourceStore store = world.listed();
    NodeResource spec = stored(store.update(created, created.withPreAllocate(5)));
    NodeResource both =
        stored(
            store.updateStatus(
                spec,
                spec.withReleaseIps(
                    Map.of(address("10.0.0.9"), HandshakeState.MARKED_FOR_RELEASE))));
    assertThat(both.ipam().preAllocate()).isEqualTo(5);
    assertThat(world.nodes.node("n1").releaseIps()).hasSize(1);
    assertThat(world.nodes.node("n1").instanceId()).contains("i-n1");
    assertThat(store.latest("n1")).contains(both);
  }

  @Test
  @DisplayName("a write on an old version is a conflict, and what an agent wrote meanwhile stays")
  void conflict() throws Exception {
    NodeResource created = world.nodes.create(node("n1"));
    KubernetesNodeResourceStore store = world.listed();
    NodeResource used =
        world.nodes.writeStatus(
            created.withUsed(Map.of(address("10.0.0.7"), new UsedAddress("default/pod", ""))));
    NodeResource late =
        created.withReleaseIps(Map.of(address("10.0.0.9"), HandshakeState.MARKED_FOR_RELEASE));
    assertThat(store.updateStatus(created, late)).isEqualTo(new StoreResult.Conflict());
    assertThat(store.update(created, created.withPreAllocate(3)))
        .isEqualTo(new StoreResult.Conflict());
    NodeResource fresh = stored(store.get("n1"));
    assertThat(fresh.used()).isEqualTo(used.used());
    stored(store.update(fresh, fresh.withPreAllocate(3)));
  }

  @Test
  @DisplayName("a write without a version is never sent: the client library would take any")
  void noVersion() throws Exception {
    world.nodes.create(node("n1"));
    KubernetesNodeResourceStore store = world.listed();
    NodeResource made = node("n1");
    long before = world.requests("PUT", "");
    assertThat(store.update(made, made.withPreAllocate(4))).isEqualTo(new StoreResult.Conflict());
    assertThat(world.requests("PUT", "")).isEqualTo(before);
  }

  @Test
  @DisplayName("NM-S3 equal content sends no request")
  void equal() throws Exception {
    NodeResource created = world.nodes.create(node("n1"));
    KubernetesNodeResourceStore store = world.listed();
    long before = world.requests("PUT", "") + world.requests("PUT", "status");
    assertThat(store.update(created, created)).isEqualTo(new StoreResult.Unchanged());
    assertThat(store.updateStatus(created, created.withReleaseIps(Map.of())))
        .isEqualTo(new StoreResult.Unchanged());
    assertThat(world.requests("PUT", "") + world.requests("PUT", "status")).isEqualTo(before);
  }

  @Test
  @DisplayName("NM-S3 a field that the server's schema drops is written once, not for ever")
  void pruned() throws Exception {
    NodeResource created = world.nodes.create(node("n1"));
    KubernetesNodeResourceStore store = world.listed();
    IpAddress address = address("10.0.0.5");
    NodeResource first = stored(store.updateStatus(created, created.withAssignedStaticIp(address)));
    assertThat(first.assignedStaticIp()).isEmpty();
    long before = world.requests("PUT", "status");
    assertThat(store.updateStatus(first, first.withAssignedStaticIp(address)))
        .isEqualTo(new StoreResult.Unchanged());
    NodeResource other =
        stored(
            store.updateStatus(
                first,
                first
                    .withAssignedStaticIp(address)
                    .withReleaseIps(Map.of(address, HandshakeState.RELEASED))));
    assertThat(other.releaseIps()).containsEntry(address, HandshakeState.RELEASED);
    assertThat(world.requests("PUT", "status")).isEqualTo(before + 1);
  }

  @Test
  @DisplayName("what the schema refuses is told with the field")
  void refused() throws Exception {
    NodeResource created = world.nodes.create(node("n1"));
    KubernetesNodeResourceStore store = world.listed();
    StoreResult result = store.update(created, created.withPreAllocate(-1));
    assertThat(result).isInstanceOf(StoreResult.Refused.class);
    assertThat(((StoreResult.Refused) result).detail())
        .contains("spec.ipam.pre-allocate", "greater than or equal to 0");
  }

  @Test
  @DisplayName("an object that is gone is not found")
  void gone() throws Exception {
    NodeResource created = world.nodes.create(node("n1"));
    KubernetesNodeResourceStore store = world.listed();
    world.nodes.delete("n1");
    assertThat(store.update(created, created.withPreAllocate(4)))
        .isEqualTo(new StoreResult.NotFound());
    assertThat(store.get("n1")).isEqualTo(new StoreResult.NotFound());
  }

  @Test
  @DisplayName("whoever else wrote the pool is known by name, until we write after it")
  void poolWriter() throws Exception {
    NodeResource created = world.nodes.create(node("n1"));
    KubernetesNodeResourceStore store = world.listed();
    stored(store.update(created, created.withPreAllocate(4)));
    assertThat(store.lastWriter("n1").other()).isEmpty();
    PodIpPool theirs = PodIpPool.of(Map.of("eni-1", AddressSet.of(address("10.0.0.1"))));
    world.nodes.writeSpecAs("another-operator", world.nodes.node("n1").withPool(theirs));
    Eventually.holds(
        "the other one is known",
        () -> store.lastWriter("n1").other().equals(Optional.of("another-operator")));
  }

  @Test
  @DisplayName("without the right to read, the verb and the resource are named; it is tried again")
  void noRights() throws Exception {
    KubernetesNodeResourceStore store = world.open(User.NOBODY);
    Eventually.holds("trouble is told", () -> store.trouble().isPresent());
    assertThat(store.trouble().orElseThrow()).contains("cannot list", "ciliumnodes", "Grant it");
    assertThat(store.hasListed()).isFalse();
    NodeResource created = world.nodes.create(node("n1"));
    StoreResult result = store.update(created, created.withPreAllocate(4));
    assertThat(((StoreResult.Failed) result).detail()).contains("cannot update");
  }

  @Test
  @DisplayName("unknown fields of metadata and spec survive a write")
  void unknownFields() throws Exception {
    world.nodes.create(
        """
        {"apiVersion":"cilium.io/v2","kind":"CiliumNode",
         "metadata":{"name":"n1","labels":{"a":"b"},"annotations":{"c":"d"},
           "finalizers":["x.io/y"],
           "ownerReferences":[{"apiVersion":"v1","kind":"Node","name":"n1","uid":"u"}]},
         "spec":{"instance-id":"i-1","bootid":"b","nodeidentity":6,
           "addresses":[{"ip":"10.0.0.1","type":"InternalIP"}],
           "encryption":{"key":3},"health":{"ipv4":"10.0.0.2"}}}
        """);
    KubernetesNodeResourceStore store = world.listed();
    NodeResource before = store.latest("n1").orElseThrow();
    stored(store.update(before, before.withPreAllocate(4)));
    assertThat(world.nodes.text("n1"))
        .contains("\"labels\":{\"a\":\"b\"}", "\"annotations\":{\"c\":\"d\"}", "x.io/y")
        .contains("\"uid\":\"u\"", "\"bootid\":\"b\"", "\"nodeidentity\":6", "InternalIP")
        .contains("\"key\":3");
    world.nodes.writeSpec(Samples.parsed(world.nodes.text("n1").replace("\"x.io/y\"", "")));
  }

  @Test
  @DisplayName("a status write that is too large is refused before the server does")
  void tooLarge() throws Exception {
    NodeResource created = world.nodes.create(node("n1"));
    KubernetesNodeResourceStore store = world.listed();
    Map<IpAddress, UsedAddress> used = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      used.put(
          address("10.1." + i / 250 + '.' + i % 250),
          new UsedAddress("default/pod-" + i, "x".repeat(60)));
    }
    long before = world.requests("PUT", "status");
    StoreResult result = store.updateStatus(created, created.withUsed(used));
    assertThat(((StoreResult.Refused) result).detail()).contains("bytes").contains("max-allocate");
    assertThat(world.requests("PUT", "status")).isEqualTo(before);
  }
}
