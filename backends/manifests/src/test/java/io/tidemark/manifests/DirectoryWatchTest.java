package io.tidemark.manifests;

import static io.tidemark.manifests.StoreWorld.latest;
import static io.tidemark.manifests.StoreWorld.manifest;
import static io.tidemark.manifests.StoreWorld.stored;
import static io.tidemark.manifests.StoreWorld.withPool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.resource.StoreResult;
import io.tidemark.testing.Hang;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The watch of a directory")
class DirectoryWatchTest extends StoreTest {
  private Watch watch() {
    return store.watch(world.watcher());
  }

  /** Writes a file and watches it. */
  private void watching(String file, String text) {
    world.write(file, text);
    watch();
    world.told(60);
  }

  private List<String> refused() {
    return store.refused().stream().map(ResourceProblem::problem).toList();
  }

  private String pool(String name) {
    return latest(store, name).pool().addresses().toString();
  }

  @Test
  @DisplayName("tells every object and then synced")
  void present() {
    world.write("b.yaml", manifest("b"));
    world.write("a.yml", manifest("a") + "---\n" + manifest("c"));
    world.write(".hidden.yaml", manifest("hidden"));
    world.write("notes.txt", "no manifest");
    watch();
    assertThat(world.told(60))
        .containsExactly("upserted a pool 1", "upserted b pool 1", "upserted c pool 1", "synced");
  }

  @Test
  @DisplayName("NM-S9 tells new and changed objects once two looks saw them, and only those")
  void changes() {
    watching("a.yaml", manifest("a"));
    assertThat(world.told(1000)).isEmpty();
    world.write("b.yaml", manifest("b"));
    world.write("a.yaml", manifest("a") + "status: {ipam: {used: {10.0.0.1: {owner: x}}}}\n");
    assertThat(world.told(200)).isEmpty();
    assertThat(world.told(100)).containsExactly("upserted a pool 1", "upserted b pool 1");
    assertThat(latest(store, "a").used().size()).isEqualTo(1);
    assertThat(world.told(1000)).isEmpty();
  }

  @Test
  @DisplayName("tells a deleted file once it is absent twice")
  void deletedFile() {
    watching("a.yaml", manifest("a"));
    world.delete("a.yaml");
    assertThat(world.told(200)).isEmpty();
    assertThat(world.told(100)).containsExactly("deleted a");
    assertThat(store.latest("a")).isEmpty();
    assertThat(store.get("a")).isEqualTo(new StoreResult.NotFound());
  }

  @ParameterizedTest(name = "emptied in place: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("tells nothing when an editor takes a file away, or empties it, and writes it anew")
  void replacedFile(boolean inPlace) {
    watching("a.yaml", manifest("a"));
    if (inPlace) {
      world.write("a.yaml", "");
    } else {
      world.delete("a.yaml");
    }
    world.pass(201);
    world.write("a.yaml", manifest("a"));
    assertThat(world.told(1000)).isEmpty();
  }

  @Test
  @DisplayName("tells nothing when a file is taken away right after a write, and written anew")
  void replacedAfterWrite() {
    watching("a.yaml", manifest("a"));
    world.grow(store, "a", 2);
    String written = world.read("a.yaml");
    world.delete("a.yaml");
    world.pass(201);
    world.write("a.yaml", written);
    assertThat(world.told(1000)).isEmpty();
  }

  @Test
  @DisplayName("tells an object taken out of a file of many")
  void deletedObject() {
    watching("all.yaml", manifest("a") + "---\n" + manifest("b"));
    world.write("all.yaml", manifest("b"));
    assertThat(world.told(400)).containsExactly("deleted a");
  }

  @Test
  @DisplayName("goes on with the node when its file is renamed")
  void renamed() throws IOException {
    watching("a.yaml", manifest("a"));
    Files.move(directory.resolve("a.yaml"), directory.resolve("z.yaml"));
    assertThat(world.told(1000)).isEmpty();
    world.grow(store, "a", 2);
    assertThat(world.read("z.yaml")).contains("10.0.0.2");
  }

  @Test
  @DisplayName(
      "NM-S9 reports a file that does not parse once it was seen twice, and keeps its content")
  void halfWritten() {
    watching("a.yaml", manifest("a"));
    world.write("a.yaml", "apiVersion: cilium.io/v2\nkind: \"Cilium");
    world.pass(201);
    assertThat(refused()).isEmpty();
    assertThat(world.told(100)).isEmpty();
    assertThat(refused()).singleElement().asString().startsWith("not YAML");
    NodeResource kept = latest(store, "a");
    assertThat(kept.pool().size()).isEqualTo(1);
    assertThat(store.update(kept, withPool(kept, 2))).isInstanceOf(StoreResult.Failed.class);
    world.write("a.yaml", manifest("a"));
    assertThat(world.told(400)).isEmpty();
    assertThat(refused()).isEmpty();
  }

  @Test
  @DisplayName("refuses a name that stands twice, naming both places, until one is gone")
  void twice() {
    watching("a.yaml", manifest("a"));
    world.write("b.yaml", manifest("a").replace("10.0.0.1", "10.0.0.9"));
    String problem =
        "the name a is defined in both " + directory + "/a.yaml:2 and " + directory + "/b.yaml:2";
    assertThat(world.told(400)).containsExactly("refused a: " + problem);
    assertThat(refused()).containsExactly(problem, problem);
    assertThat(pool("a")).contains("10.0.0.1");
    assertThat(store.get("a")).isInstanceOf(StoreResult.Failed.class);
    world.delete("b.yaml");
    assertThat(world.told(400)).containsExactly("upserted a pool 1");
    assertThat(refused()).isEmpty();
  }

  @Test
  @DisplayName("refuses wrong values by file, line, path and remedy, and goes on with the others")
  void invalid() {
    world.write("a.yaml", manifest("a").replace("pre-allocate: 0", "pre-allocate: -3"));
    world.write("b.yaml", manifest("b").replace("10.0.0.1", "10.0.0.999"));
    world.write("c.yaml", manifest("c"));
    watch();
    assertThat(world.told(160))
        .anySatisfy(each -> assertThat(each).startsWith("refused a: "))
        .anySatisfy(each -> assertThat(each).startsWith("refused b: "))
        .contains("upserted c pool 1")
        .endsWith("synced");
    ResourceProblem first = store.refused().get(0);
    assertThat(first.where()).isEqualTo(directory + "/a.yaml:9");
    assertThat(first.path()).isEqualTo("spec.ipam.pre-allocate");
    assertThat(first.problem()).contains("-3");
    assertThat(first.remedy()).isNotEmpty();
    ResourceProblem second = store.refused().get(1);
    assertThat(second.where()).isEqualTo(directory + "/b.yaml:11");
    assertThat(second.path()).isEqualTo("spec.ipam.pool[\"10.0.0.999\"]");
    assertThat(store.latest("a")).isEmpty();
  }

  @Test
  @DisplayName("refuses what is no node, file by file")
  void noNodes() throws IOException {
    world.write("comments.yaml", "# nothing\n---\n# here\n");
    world.write("broken.json", "{\"kind\": \"CiliumNode\",}");
    world.write("deployment.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\n");
    Files.write(directory.resolve("latin1.yaml"), new byte[] {'a', ':', ' ', (byte) 0xe9});
    Files.createDirectory(directory.resolve("folder.yaml"));
    watch();
    assertThat(world.told(160)).containsExactly("synced");
    assertThat(store.refused())
        .extracting(each -> Path.of(each.where()).getFileName() + " " + each.problem())
        .containsExactly(
            "broken.json:1 not JSON: Unexpected character ('}' (code 125)): was expecting"
                + " double-quote to start field name",
            "comments.yaml:1 the file has no object",
            "deployment.yaml:2 the kind is Deployment, not CiliumNode",
            "latin1.yaml the file is not UTF-8 text");
    assertThat(store.refused()).allSatisfy(each -> assertThat(each.remedy()).isNotEmpty());
  }

  @Test
  @DisplayName("refuses a file that is too large or may not be read, others go on")
  void unreadable() throws IOException {
    world.write("a.yaml", manifest("a"));
    try (RandomAccessFile large =
        new RandomAccessFile(directory.resolve("b.yaml").toFile(), "rw")) {
      large.setLength((64 << 20) + 1);
    }
    world.write("c.yaml", manifest("c"));
    world.failing("open c.yaml", new AccessDeniedException("c.yaml"));
    watch();
    assertThat(world.told(160)).containsExactly("upserted a pool 1", "synced");
    assertThat(refused())
        .containsExactly(
            "cannot be read: the file is larger than 64 MiB", "cannot be read: permission denied");
    world.heal();
    assertThat(world.told(1000)).containsExactly("upserted c pool 1");
  }

  @Test
  @DisplayName("keeps what was known when the directory cannot be listed")
  void unlistable() {
    watching("a.yaml", manifest("a"));
    world.failing("list", new AccessDeniedException(directory.toString()));
    assertThat(world.told(1000)).isEmpty();
    assertThat(store.refused())
        .extracting(ResourceProblem::where)
        .containsExactly(directory.toString());
    assertThat(store.latest("a")).isPresent();
    world.heal();
    assertThat(world.told(1000)).isEmpty();
    assertThat(refused()).isEmpty();
  }

  @Test
  @DisplayName("tells nothing after it was closed, and a new one begins anew")
  void closed() {
    world.write("a.yaml", manifest("a"));
    Watch watch = watch();
    world.told(60);
    assertThatThrownBy(this::watch).isInstanceOf(IllegalStateException.class);
    watch.close();
    world.write("b.yaml", manifest("b"));
    assertThat(world.told(1000)).isEmpty();
    assertThat(world.time.pending()).isZero();
    watch();
    assertThat(world.told(360)).containsExactly("upserted a pool 1", "upserted b pool 1", "synced");
  }

  @Test
  @DisplayName("reads a single file, and keeps its node when the file is away")
  void singleFile() throws IOException {
    Path file = world.write("one.yaml", manifest("a") + "---\n" + manifest("b"));
    world.write("two.yaml", manifest("c"));
    store.close();
    store = world.open(file);
    watch();
    assertThat(world.told(60)).containsExactly("upserted a pool 1", "upserted b pool 1", "synced");
    world.delete("one.yaml");
    singleFileIsAway(file);
    world.write("one.yaml", manifest("a") + "---\n" + manifest("b"));
    world.pass(1000);
    assertThat(store.refused()).isEmpty();
    world.delete("one.yaml");
    Files.createSymbolicLink(file, Path.of("/dev/null"));
    singleFileIsAway(file);
    world.delete("one.yaml");
  }

  private void singleFileIsAway(Path file) {
    assertThat(world.told(1000)).isEmpty();
    assertThat(store.refused()).extracting(ResourceProblem::where).containsExactly(file.toString());
    assertThat(store.names()).containsExactly("a", "b");
  }

  @Test
  @DisplayName("reads lists, with the kind in each item or said once for all")
  void lists() {
    world.write(
        "list.json",
        """
        {"apiVersion": "v1", "kind": "List", "items": [
          {"apiVersion": "cilium.io/v2", "kind": "CiliumNode", "metadata": {"name": "a"}, "spec": {}},
          {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}}
        ]}
        """);
    world.write(
        "nodes.yaml",
        """
        apiVersion: cilium.io/v2
        kind: CiliumNodeList
        items:
        - metadata: {name: b}
          spec: {}
        """);
    watch();
    assertThat(world.told(160)).contains("upserted a pool 0", "upserted b pool 0", "synced");
    assertThat(store.refused()).extracting(ResourceProblem::path).containsExactly("items[1].kind");
    world.grow(store, "b", 1);
    assertThat(world.read("nodes.yaml")).contains("10.0.0.1:");
  }

  @Test
  @DisplayName("does without looking at all when nobody watches: get reads anew")
  void get() {
    world.write("a.yaml", manifest("a"));
    NodeResource first = stored(store.get("a"));
    assertThat(stored(store.get("a")).resourceVersion()).isEqualTo(first.resourceVersion());
    world.write("a.yaml", manifest("a").replace("10.0.0.1", "10.0.0.2"));
    NodeResource second = stored(store.get("a"));
    assertThat(second.resourceVersion()).isNotEqualTo(first.resourceVersion());
    assertThat(second.pool().addresses().toString()).contains("10.0.0.2");
    assertThat(store.names()).containsExactly("a");
    assertThat(world.time.pending()).isZero();
    assertThat(store.get("nobody")).isEqualTo(new StoreResult.NotFound());
  }

  @Test
  @Timeout(Hang.SECONDS)
  @DisplayName("D-5 an answer that was overtaken by a newer one does not bring the old state back")
  void overtaken() throws Exception {
    world.write("a.yaml", manifest("a"));
    stored(store.get("a"));
    world.write("a.yaml", manifest("a") + "# older\n");
    FutureTask<StoreResult> newer = new FutureTask<>(() -> store.get("a"));
    Thread other = new Thread(newer);
    world.files.afterRead(
        () -> {
          world.write("a.yaml", manifest("a").replace("10.0.0.1", "10.0.0.2"));
          other.start();
          while (other.getState() != Thread.State.BLOCKED) {
            Thread.onSpinWait();
          }
        });
    stored(store.get("a"));
    assertThat(stored(newer.get()).pool().addresses().toString()).contains("10.0.0.2");
    assertThat(latest(store, "a").resourceVersion())
        .isEqualTo(stored(newer.get()).resourceVersion());
  }

  @Test
  @DisplayName("reads a node beside documents that are refused")
  void besideOthers() {
    String other = "---\nkind: Deployment\n";
    world.write("a.yaml", manifest("a") + other);
    watch();
    world.pass(160);
    assertThat(stored(store.get("a")).pool().size()).isEqualTo(1);
    world.write("a.yaml", "# moved\n" + manifest("a").replace("10.0.0.1", "10.0.0.2") + other);
    stored(store.get("a"));
    assertThat(pool("a")).contains("10.0.0.2");
    world.grow(store, "a", 3);
    assertThat(world.read("a.yaml")).contains("10.0.0.3").endsWith(other);
    world.write("a.yaml", "kind: \"half");
    assertThat(store.get("a")).isInstanceOf(StoreResult.Failed.class);
  }
}
