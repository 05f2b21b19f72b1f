package io.tidemark.manifests;

import static io.tidemark.manifests.StoreWorld.latest;
import static io.tidemark.manifests.StoreWorld.manifest;
import static io.tidemark.manifests.StoreWorld.stored;
import static io.tidemark.manifests.StoreWorld.withMark;
import static io.tidemark.manifests.StoreWorld.withPool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.error.IpamException;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.StoreResult;
import io.tidemark.time.EffectFate;
import io.tidemark.time.EffectModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A write to a directory")
class DirectoryWriteTest {
  @TempDir Path directory;
  private StoreWorld world;
  private DirectoryNodeResourceStore store;

  @BeforeEach
  void open() {
    world = new StoreWorld(directory);
    store = world.open();
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void watch() {
    store.watch(world.watcher());
    world.pass(60);
    world.told();
  }

  private NodeResource load(String file, String text) {
    world.write(file, text);
    store.load();
    return store.all().get(0);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(each -> each.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  @DisplayName("NM-S1 NM-J1 changes the fields it means, and keeps the others and their order")
  void fields() {
    NodeResource node = load("a.yaml", manifest("a"));
    stored(store.update(node, withPool(node, 2).withPreAllocate(8)));
    assertThat(world.read("a.yaml"))
        .isEqualTo(
            """
            apiVersion: cilium.io/v2
            kind: CiliumNode
            metadata:
              name: a
            spec:
              x-future:
                keep: me
              ipam:
                pre-allocate: 8
                pool:
                  10.0.0.1:
                    resource: eni-1
                  10.0.0.2:
                    resource: eni-1
            """);
  }

  @Test
  @DisplayName("a new node gets a file of its own, without a status, and nobody else's")
  void create() throws IOException {
    load("a.yaml", manifest("a"));
    world.write("c.json", "");
    watch();
    NodeResource wanted = NodeResource.named("b").withInstanceId("i-1");
    NodeResource made = stored(store.create(withMark(wanted, "10.0.0.1")));
    assertThat(made.instanceId()).contains("i-1");
    assertThat(made.releaseIps()).isEmpty();
    assertThat(latest(store, "b")).isEqualTo(made);
    assertThat(names()).containsExactly(".tidemark.lock", "a.yaml", "b.json", "c.json");
    assertThat(world.told()).containsExactly("upserted b pool 0");
    stored(store.update(made, withPool(made, 1)));
    assertThat(world.read("b.json")).endsWith("}\n").contains("10.0.0.1");
    assertThat(store.create(wanted)).isInstanceOf(StoreResult.Conflict.class);
    assertThat(store.create(NodeResource.named("c"))).isInstanceOf(StoreResult.Refused.class);
    assertThat(world.read("c.json")).isEmpty();
  }

  @Test
  @DisplayName("a new node is refused where it has no place")
  void noPlace() throws IOException {
    world.write("a.yaml", manifest("a"));
    store.close();
    assertThat(store.create(NodeResource.named("b"))).isInstanceOf(StoreResult.Refused.class);
    try (DirectoryNodeResourceStore single = world.open(directory.resolve("a.yaml"))) {
      assertThat(single.create(NodeResource.named("b")))
          .isEqualTo(
              new StoreResult.Refused(directory.resolve("a.yaml") + " is a file, not a directory"));
    }
    world.options = DirectoryOptions.DEFAULT.withoutWriting();
    try (DirectoryNodeResourceStore reading = world.open()) {
      assertThat(reading.create(NodeResource.named("b"))).isInstanceOf(StoreResult.Refused.class);
    }
    assertThat(names()).containsExactly("a.yaml");
  }

  @Test
  @DisplayName("a new node is not there when its file cannot be written")
  void cannotBeMade() throws IOException {
    world.files.hook(
        (call, path, content) -> {
          if (call.equals("rename")) {
            throw new IOException("no space");
          }
        });
    assertThat(store.create(NodeResource.named("b"))).isInstanceOf(StoreResult.Failed.class);
    assertThat(store.all()).isEmpty();
    assertThat(store.latest("b")).isEmpty();
  }

  @Test
  @DisplayName("leaves nothing beside the file but the lock, and that only while it is open")
  void nothingBeside() throws IOException {
    NodeResource node = load("a.yaml", manifest("a"));
    stored(store.update(node, withPool(node, 2)));
    assertThat(names()).containsExactly(".tidemark.lock", "a.yaml");
    store.close();
    assertThat(names()).containsExactly("a.yaml");
  }

  @Test
  @DisplayName("keeps permissions, reads a byte order mark, and goes through links")
  void permissions() throws IOException {
    Path outside = Files.createDirectory(directory.resolve("outside"));
    Path file = Files.writeString(outside.resolve("real.yaml"), "\ufeff" + manifest("a"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    Files.createSymbolicLink(directory.resolve("a.yaml"), file);
    store.load();
    NodeResource node = latest(store, "a");
    stored(store.update(node, withPool(node, 2)));
    assertThat(Files.isSymbolicLink(directory.resolve("a.yaml"))).isTrue();
    assertThat(Files.readString(file)).startsWith("apiVersion").contains("10.0.0.2");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-r-----");
  }

  @Test
  @DisplayName("NM-S3 of nothing new touches no byte and no time stamp")
  void unchanged() throws IOException {
    NodeResource node = load("a.yaml", manifest("a"));
    FileTime before = FileTime.fromMillis(1_000_000);
    Files.setLastModifiedTime(directory.resolve("a.yaml"), before);
    assertThat(store.update(node, withPool(node, 1))).isEqualTo(new StoreResult.Unchanged());
    assertThat(store.updateStatus(node, node)).isEqualTo(new StoreResult.Unchanged());
    assertThat(Files.getLastModifiedTime(directory.resolve("a.yaml"))).isEqualTo(before);
  }

  @Test
  @DisplayName("on an old version is a conflict, and the version grows with each write")
  void versions() {
    NodeResource first = load("a.yaml", manifest("a"));
    NodeResource second = stored(store.update(first, withPool(first, 2)));
    assertThat(second.resourceVersion()).isNotEqualTo(first.resourceVersion());
    assertThat(store.update(first, withPool(first, 3))).isEqualTo(new StoreResult.Conflict());
    NodeResource third = stored(store.updateStatus(second, withMark(second, "10.0.0.2")));
    assertThat(stored(store.update(third, withPool(third, 3))).pool().size()).isEqualTo(3);
    assertThat(number(third)).isGreaterThan(number(second));
  }

  private static long number(NodeResource node) {
    return Long.parseLong(node.resourceVersion().replaceFirst("-.*", ""));
  }

  @Test
  @DisplayName("NM-S2 on an object that others changed is a conflict; read and made again it fits")
  void conflict() {
    NodeResource node = load("a.yaml", manifest("a"));
    String answered = manifest("a") + "status: {ipam: {used: {10.0.0.1: {owner: x}}}} # agent\n";
    world.write("a.yaml", answered);
    assertThat(store.update(node, withPool(node, 2))).isEqualTo(new StoreResult.Conflict());
    assertThat(world.read("a.yaml")).isEqualTo(answered);
    NodeResource fresh = stored(store.get("a"));
    stored(store.update(fresh, withPool(fresh, 2)));
    assertThat(world.read("a.yaml")).contains("owner: x", "10.0.0.2");
  }

  @Test
  @DisplayName("takes changes of others outside the object as they are")
  void elsewhere() {
    NodeResource node = load("a.yaml", manifest("a"));
    world.write("a.yaml", "kind: Pod\n---\n" + manifest("a"));
    stored(store.update(node, withPool(node, 2)));
    assertThat(world.read("a.yaml")).startsWith("kind: Pod\n---\n").contains("10.0.0.2");
  }

  @Test
  @DisplayName("to a file that is gone is not found, and to a node that never was")
  void gone() {
    NodeResource node = load("a.yaml", manifest("a"));
    world.delete("a.yaml");
    assertThat(store.update(node, withPool(node, 2))).isEqualTo(new StoreResult.NotFound());
  }

  @Test
  @DisplayName("of a section that agents own is refused")
  void notOwned() {
    NodeResource node = load("a.yaml", manifest("a"));
    StoreResult result = store.updateStatus(node, node.withUsed(StoreUse.of("10.0.0.1")));
    assertThat(((StoreResult.Failed) result).detail()).contains("status.ipam.used");
    assertThat(world.read("a.yaml")).isEqualTo(manifest("a"));
  }

  @Test
  @DisplayName("to a file of many is answered at once and made with all others within 100 ms")
  void behind() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      text.append(i == 0 ? "" : "---\n").append(manifest("n" + i));
    }
    world.write("all.yaml", text.toString());
    List<String> replaced = new ArrayList<>();
    world.files.hook(
        (call, path, content) -> {
          if (call.equals("rename")) {
            replaced.add(path.getFileName() + "@" + world.time.nanos() / StoreWorld.MILLI);
          }
        });
    watch();
    for (int i = 0; i < 20; i++) {
      NodeResource node = latest(store, "n" + i);
      NodeResource status = stored(store.updateStatus(node, withMark(node, "10.0.0.1")));
      stored(store.update(status, withPool(status, 3)));
      assertThat(latest(store, "n" + i).pool().size()).isEqualTo(3);
    }
    assertThat(replaced).isEmpty();
    assertThat(world.read("all.yaml")).isEqualTo(text.toString());
    world.pass(99);
    assertThat(replaced).isEmpty();
    world.pass(1);
    assertThat(replaced).containsExactly("all.yaml@160");
    String after = world.read("all.yaml");
    assertThat(after.split("10.0.0.3:", -1)).hasSize(21);
    assertThat(after.split("marked-for-release", -1)).hasSize(21);
    world.pass(1000);
    assertThat(world.told()).isEmpty();
    assertThat(replaced).hasSize(1);
  }

  @Test
  @DisplayName("behind merges what others changed meanwhile elsewhere in the same object")
  void behindMerges() {
    world.write("all.yaml", manifest("a") + "---\n" + manifest("b"));
    watch();
    NodeResource node = latest(store, "a");
    NodeResource answered = stored(store.update(node, withPool(node, 2)));
    String used = "status: {ipam: {used: {10.0.0.1: {owner: x}}}} # agent\n";
    world.write("all.yaml", manifest("a") + used + "---\n" + manifest("b"));
    world.pass(150);
    assertThat(world.read("all.yaml")).contains("owner: x", "10.0.0.2");
    assertThat(world.told()).containsExactly("upserted a pool 2");
    assertThat(latest(store, "a").used().size()).isEqualTo(1);
    assertThat(number(latest(store, "a"))).isGreaterThan(number(answered));
  }

  @Test
  @DisplayName("behind gives way where others changed the same place, and the watcher is told")
  void behindGivesWay() {
    String marked = "status: {ipam: {release-ips: {10.0.0.1: marked-for-release}}}\n";
    String ready = marked.replace("marked-for-release", "do-not-release");
    world.write("all.yaml", manifest("a") + marked + "---\n" + manifest("b"));
    watch();
    NodeResource node = latest(store, "a");
    Map<IpAddress, HandshakeState> released =
        Map.of(IpAddress.parse("10.0.0.1"), HandshakeState.RELEASED);
    NodeResource answered = stored(store.updateStatus(node, node.withReleaseIps(released)));
    world.write("all.yaml", manifest("a") + ready + "---\n" + manifest("b"));
    world.pass(150);
    assertThat(world.read("all.yaml")).contains("do-not-release");
    assertThat(world.told()).containsExactly("upserted a pool 1");
    assertThat(latest(store, "a").releaseIps()).containsValue(HandshakeState.DO_NOT_RELEASE);
    assertThat(number(latest(store, "a"))).isGreaterThan(number(answered));
  }

  @Test
  @DisplayName("behind goes on while earlier ones are on their way, and ends in the newest state")
  void behindNewer() {
    world.write("all.yaml", manifest("a") + "---\n" + manifest("b"));
    watch();
    NodeResource node = latest(store, "a");
    for (int i = 2; i < 9; i++) {
      node = stored(store.update(node, withPool(node, i)));
      world.pass(40);
    }
    world.pass(200);
    assertThat(world.read("all.yaml")).contains("10.0.0.8:");
    assertThat(world.told()).isEmpty();
    assertThat(latest(store, "a").resourceVersion()).isEqualTo(node.resourceVersion());
  }

  @Test
  @DisplayName("behind comes to rest when a change is taken back before it was made")
  void behindTakenBack() {
    String text = manifest("a") + "---\n" + manifest("b");
    world.write("all.yaml", text);
    watch();
    NodeResource node = latest(store, "a");
    NodeResource changed = stored(store.update(node, withPool(node, 2)));
    stored(store.update(changed, withPool(changed, 1)));
    CompletionStage<FlushReport> flush = store.flush();
    world.pass(1);
    assertThat(flush.toCompletableFuture()).isCompletedWithValue(FlushReport.CLEAN);
    assertThat(world.read("all.yaml")).isEqualTo(text);
    assertThat(world.told()).isEmpty();
  }

  @Test
  @DisplayName("behind is tried again while the disk is full, and told meanwhile")
  void behindFails() {
    world.write("all.yaml", manifest("a") + "---\n" + manifest("b"));
    watch();
    world.files.hook(
        (call, path, content) -> {
          if (call.equals("write")) {
            throw new IOException("No space left on device");
          }
        });
    NodeResource node = latest(store, "a");
    stored(store.update(node, withPool(node, 2)));
    world.pass(1000);
    assertThat(store.refused()).singleElement().asString().contains("No space left on device");
    CompletionStage<FlushReport> flush = store.flush();
    world.pass(5001);
    assertThat(flush.toCompletableFuture().getNow(FlushReport.CLEAN).unwritten())
        .containsExactly("a");
    world.files.hook((call, path, content) -> {});
    world.pass(1000);
    assertThat(world.read("all.yaml")).contains("10.0.0.2");
    assertThat(store.refused()).isEmpty();
  }

  @Test
  @DisplayName("behind whose answer is lost is unknown, and found made when it is tried again")
  void behindAnswerLost() {
    world.write("all.yaml", manifest("a") + "---\n" + manifest("b"));
    watch();
    NodeResource node = latest(store, "a");
    NodeResource answered = stored(store.update(node, withPool(node, 2)));
    EffectModel reliable = world.network;
    world.network =
        (site, timeout) ->
            site.operation().equals("replaceFile")
                ? EffectFate.answerLost(Duration.ZERO)
                : reliable.decide(site, timeout);
    CompletionStage<FlushReport> flush = store.flush();
    world.pass(5001);
    assertThat(flush.toCompletableFuture().getNow(FlushReport.CLEAN).unknown())
        .containsExactly("a");
    String written = world.read("all.yaml");
    assertThat(written).contains("10.0.0.2");
    world.network = reliable;
    world.pass(60_000);
    assertThat(world.read("all.yaml")).isEqualTo(written);
    assertThat(world.told()).isEmpty();
    assertThat(latest(store, "a").resourceVersion()).isEqualTo(answered.resourceVersion());
    assertThat(store.shutDown()).isEqualTo(FlushReport.CLEAN);
  }

  @Test
  @DisplayName("behind is made at once by flush, and by closing")
  void flush() {
    world.write("all.yaml", manifest("a") + "---\n" + manifest("b"));
    watch();
    NodeResource node = latest(store, "a");
    NodeResource next = stored(store.update(node, withPool(node, 2)));
    CompletionStage<FlushReport> flush = store.flush();
    world.pass(0);
    assertThat(flush.toCompletableFuture()).isCompletedWithValue(FlushReport.CLEAN);
    assertThat(world.read("all.yaml")).contains("10.0.0.2");
    stored(store.update(next, withPool(next, 3)));
    assertThat(store.shutDown()).isEqualTo(FlushReport.CLEAN);
    assertThat(world.read("all.yaml")).contains("10.0.0.3");
    assertThat(store.update(latest(store, "a"), withPool(latest(store, "a"), 4)))
        .isInstanceOf(StoreResult.Failed.class);
  }

  @Test
  @DisplayName("in a dry run is remembered, and nothing touches the disk")
  void dryRun() throws IOException {
    store.close();
    world.options = world.options.withoutWriting();
    world.write("a.yaml", manifest("a"));
    world.write("all.yaml", manifest("b") + "---\n" + manifest("c"));
    Map<String, String> before = contents();
    store = world.open();
    DirectoryNodeResourceStore second = world.open();
    watch();
    for (String name : List.of("a", "b")) {
      NodeResource node = latest(store, name);
      NodeResource status = stored(store.updateStatus(node, withMark(node, "10.0.0.1")));
      stored(store.update(status, withPool(status, 3)));
    }
    world.pass(1000);
    assertThat(contents()).isEqualTo(before);
    assertThat(latest(store, "a").pool().size()).isEqualTo(3);
    assertThat(stored(store.get("b")).releaseIps()).hasSize(1);
    world.write("a.yaml", manifest("a").replace("10.0.0.1", "10.0.0.9"));
    world.pass(500);
    assertThat(world.told()).containsExactly("upserted a pool 1");
    second.close();
  }

  private Map<String, String> contents() throws IOException {
    Map<String, String> contents = new TreeMap<>();
    for (String name : names()) {
      contents.put(name, world.read(name));
    }
    return contents;
  }

  @Test
  @DisplayName("needs a home that exists and may be locked")
  void homes() {
    assertThatThrownBy(() -> world.open(directory.resolve("nowhere")))
        .isInstanceOf(IpamException.class)
        .hasMessageContaining("TM-1102")
        .hasMessageContaining("does not exist");
    assertThatThrownBy(() -> world.open())
        .isInstanceOf(IpamException.class)
        .hasMessageContaining("TM-1104")
        .hasMessageContaining("the process " + ProcessHandle.current().pid());
  }
}
