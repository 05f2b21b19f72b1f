package io.tidemark.manifests;

import static io.tidemark.manifests.StoreWorld.latest;
import static io.tidemark.manifests.StoreWorld.stored;
import static io.tidemark.manifests.StoreWorld.withPool;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.resource.NodeResource;
import io.tidemark.resource.StoreResult;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A manifest whose writer pauses half-way through")
class HalfWrittenTest {
  /** A writer's pause, and what the store waits for. */
  private static final int PAUSE = 6_000;

  private static final int QUIET = 10_000;

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

  /** The node with two used addresses; all of it in lines. */
  private static String whole(String name) {
    return spec(name)
        + """
        status:
          ipam:
            used:
              10.0.0.1:
                owner: default/web-1
              10.0.0.2:
                owner: default/web-2
          eni:
            enis:
              eni-1:
                id: eni-1
                addresses:
                - 10.0.0.1
                - 10.0.0.2
        """;
  }

  /** As much of it as is written before the pause: it parses, and says less. */
  private static String spec(String name) {
    return """
        apiVersion: cilium.io/v2
        kind: CiliumNode
        metadata:
          name: %s
        spec:
          ipam:
            pool:
              10.0.0.1:
                resource: eni-1
              10.0.0.2:
                resource: eni-1
        """
        .formatted(name);
  }

  private static String before(String text, String line) {
    return text.substring(0, text.indexOf(line));
  }

  /** Writes in place, now. */
  private void write(String file, String text) {
    Path path = world.write(file, text);
    world.files.modified(path, world.time.epochMillis() * StoreWorld.MILLI);
  }

  private int used() {
    return latest(store, "a").used().size();
  }

  private void watchKnown(String text) {
    world.write("a.yaml", text);
    var unusedWatch = store.watch(world.watcher());
    world.pass(1);
    assertThat(world.told()).contains("synced");
  }

  @Test
  @DisplayName(
      "NM-S9 is not read at the start before it has been quiet, and the start waits for it")
  void atTheStart() {
    world.write("b.yaml", whole("b"));
    write("a.yaml", spec("a"));
    var unusedWatch = store.watch(world.watcher());
    world.pass(PAUSE);
    assertThat(world.told()).containsExactly("upserted b pool 2");
    write("a.yaml", whole("a"));
    world.pass(QUIET - 300);
    assertThat(world.told()).isEmpty();
    world.pass(600);
    assertThat(world.told()).containsExactly("upserted a pool 2", "synced");
    assertThat(used()).isEqualTo(2);
  }

  @Test
  @DisplayName("NM-S9 is read at once when it was not changed lately or shows that it is complete")
  void completeAtTheStart() {
    world.write("a.yaml", whole("a"));
    write(
        "b.json",
        "{\"kind\":\"CiliumNode\",\"apiVersion\":\"cilium.io/v2\",\"metadata\":"
            + "{\"name\":\"b\"},\"spec\":{}}");
    var unusedWatch = store.watch(world.watcher());
    world.pass(1);
    assertThat(world.told()).containsExactly("upserted a pool 2", "upserted b pool 0", "synced");
  }

  @Test
  @DisplayName("NM-S9 is read at once when it was given its name after it was written")
  void renamedAtTheStart() {
    world.files.finished(true);
    write("a.yaml", whole("a"));
    var unusedWatch = store.watch(world.watcher());
    world.pass(1);
    assertThat(world.told()).containsExactly("upserted a pool 2", "synced");
  }

  @Test
  @DisplayName("NM-S9 changes nothing in what is known")
  void afterAll() {
    for (String line : new String[] {"status:", "  eni:", "      10.0.0.2:\n        owner"}) {
      world = new StoreWorld(directory);
      store.close();
      store = world.open();
      watchKnown(whole("a"));
      write("a.yaml", before(whole("a"), line));
      world.pass(PAUSE);
      assertThat(world.told()).as(line).isEmpty();
      assertThat(used()).as(line).isEqualTo(2);
      assertThat(store.get("a")).as(line).isInstanceOf(StoreResult.Failed.class);
      write("a.yaml", whole("a") + "# written\n");
      world.pass(1_000);
      assertThat(used()).as(line).isEqualTo(2);
      assertThat(stored(store.get("a")).used().size()).as(line).isEqualTo(2);
    }
  }

  @Test
  @DisplayName("NM-S9 changes nothing when the file is empty first")
  void emptyFirst() {
    watchKnown(whole("a"));
    write("a.yaml", "");
    world.pass(1_000);
    assertThat(world.told()).singleElement().asString().startsWith("refused a");
    write("a.yaml", spec("a"));
    world.pass(PAUSE);
    assertThat(world.told()).isEmpty();
    assertThat(used()).isEqualTo(2);
    write("a.yaml", whole("a"));
    world.pass(1_000);
    assertThat(world.told()).containsExactly("upserted a pool 2");
    assertThat(used()).isEqualTo(2);
  }

  @Test
  @DisplayName("NM-S9 is believed when it has been quiet: somebody took the status out")
  void legitimate() {
    watchKnown(whole("a"));
    write("a.yaml", spec("a"));
    world.pass(QUIET - 300);
    assertThat(world.told()).isEmpty();
    world.pass(1_000);
    assertThat(world.told()).containsExactly("upserted a pool 2");
    assertThat(used()).isZero();
  }

  @Test
  @DisplayName("NM-S9 is not waited for longer than half a minute when it never becomes quiet")
  void neverQuiet() {
    watchKnown(whole("a"));
    for (int second = 0; second < 29; second++) {
      write("a.yaml", spec("a") + "# " + second + "\n");
      world.pass(1_000);
      assertThat(world.told()).as("second %d", second).isEmpty();
    }
    for (int second = 29; second < 32; second++) {
      write("a.yaml", spec("a") + "# " + second + "\n");
      world.pass(1_000);
    }
    assertThat(world.told()).contains("upserted a pool 2");
    assertThat(used()).isZero();
  }

  @Test
  @DisplayName("tells pods that come and go at once as long as the end of the file stands")
  void usual() {
    watchKnown(whole("a"));
    write("a.yaml", whole("a").replace("10.0.0.1:\n        owner", "10.0.0.3:\n        owner"));
    world.pass(400);
    assertThat(world.told()).containsExactly("upserted a pool 2");
    assertThat(latest(store, "a").used().toString()).contains("10.0.0.3");
    write("a.yaml", whole("a").replace("      10.0.0.1:\n        owner: default/web-1\n", ""));
    world.pass(400);
    assertThat(world.told()).containsExactly("upserted a pool 2");
    assertThat(used()).isEqualTo(1);
  }

  @Test
  @DisplayName("NM-S9 is not written into by what waits to be written")
  void writeBehind() {
    watchKnown(whole("b") + "---\n" + whole("a"));
    NodeResource node = latest(store, "b");
    stored(store.update(node, withPool(node, 3)));
    String half = whole("b") + "---\n" + spec("a");
    write("a.yaml", half);
    world.pass(PAUSE);
    assertThat(world.read("a.yaml")).isEqualTo(half);
    write("a.yaml", whole("b") + "---\n" + whole("a"));
    world.pass(2_000);
    assertThat(world.read("a.yaml")).contains("10.0.0.3").endsWith(whole("a"));
    assertThat(used()).isEqualTo(2);
    assertThat(latest(store, "b").pool().size()).isEqualTo(3);
  }
}
