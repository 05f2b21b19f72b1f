package io.tidemark.manifests;

import static io.tidemark.manifests.StoreWorld.latest;
import static io.tidemark.manifests.StoreWorld.manifest;
import static io.tidemark.manifests.StoreWorld.stored;
import static io.tidemark.manifests.StoreWorld.withMark;
import static io.tidemark.manifests.StoreWorld.withPool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.error.IpamException;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.StoreResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A write to a directory")
class DirectoryWriteTest extends StoreTest {
  private void watch() {
    store.watch(world.watcher());
    world.told(60);
  }

  private NodeResource load(String file, String text) {
    world.write(file, text);
    store.load();
    return store.all().get(0);
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
  @DisplayName("NC-AM27 of CIDRs and the operator's error leaves other fields and their spelling")
  void podCidrs() {
    NodeResource node =
        load(
            "a.yaml",
            """
            apiVersion: cilium.io/v2
            kind: CiliumNode
            metadata: {name: a}
            spec:
              encryption: {key: 0x7}
              ipam:
                podCIDRs: ['010.0.3.0/24']  # by hand
            status: {ipam: {operator-status: {since: 1.10}}}
            """);
    NodeResource spec =
        stored(store.update(node, node.withPodCidrs(List.of("010.0.3.0/24", "2001:db8::/112"))));
    NodeResource status = stored(store.updateStatus(spec, spec.withOperatorError("full")));
    String written = world.read("a.yaml");
    assertThat(written)
        .contains("  encryption:\n    key: 7\n", "    - 010.0.3.0/24\n    - 2001:db8::/112\n")
        .endsWith("    operator-status:\n      since: 1.10\n      error: full\n");
    assertThat(stored(store.updateStatus(status, status.withOperatorError(""))).operatorError())
        .isEmpty();
    assertThat(world.read("a.yaml")).isEqualTo(written.replace("      error: full\n", ""));
  }

  @Test
  @DisplayName("a new node gets a file of its own, without a status, and nobody else's")
  void create() {
    load("a.yaml", manifest("a"));
    world.write("c.json", "");
    watch();
    NodeResource wanted = NodeResource.named("b").withInstanceId("i-1");
    NodeResource made = stored(store.create(withMark(wanted, "10.0.0.1")));
    assertThat(made.instanceId()).contains("i-1");
    assertThat(made.releaseIps()).isEmpty();
    assertThat(latest(store, "b")).isEqualTo(made);
    assertThat(world.names()).containsExactly(".tidemark.lock", "a.yaml", "b.json", "c.json");
    assertThat(world.told()).containsExactly("upserted b pool 0");
    stored(store.update(made, withPool(made, 1)));
    assertThat(world.read("b.json")).endsWith("}\n").contains("10.0.0.1");
    assertThat(store.create(wanted)).isInstanceOf(StoreResult.Conflict.class);
    assertThat(store.create(NodeResource.named("c"))).isInstanceOf(StoreResult.Refused.class);
    assertThat(world.read("c.json")).isEmpty();
  }

  @Test
  @DisplayName("a new node is refused where it has no place")
  void noPlace() {
    world.write("a.yaml", manifest("a"));
    store.close();
    assertThat(store.create(NodeResource.named("b"))).isInstanceOf(StoreResult.Refused.class);
    try (DirectoryNodeResourceStore single = world.open(directory.resolve("a.yaml"))) {
      assertThat(single.create(NodeResource.named("b")))
          .isEqualTo(
              new StoreResult.Refused(directory.resolve("a.yaml") + " is a file, not a directory"));
    }
    world.readOnly = true;
    try (DirectoryNodeResourceStore reading = world.open()) {
      assertThat(reading.create(NodeResource.named("b"))).isInstanceOf(StoreResult.Refused.class);
    }
    assertThat(world.names()).containsExactly("a.yaml");
  }

  @Test
  @DisplayName("a new node is not there when its file cannot be written")
  void cannotBeMade() {
    world.failing("rename", new IOException("no space"));
    assertThat(store.create(NodeResource.named("b"))).isInstanceOf(StoreResult.Failed.class);
    assertThat(store.all()).isEmpty();
    assertThat(store.latest("b")).isEmpty();
  }

  @Test
  @DisplayName("keeps permissions, reads a byte order mark, and goes through links")
  void permissions() throws IOException {
    Path outside = Files.createDirectory(directory.resolve("outside"));
    Path file = Files.writeString(outside.resolve("real.yaml"), "\ufeff" + manifest("a"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    Files.createSymbolicLink(directory.resolve("a.yaml"), file);
    store.load();
    world.grow(store, "a", 2);
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
    return Long.parseLong(node.resourceVersion());
  }

  @Test
  @DisplayName("NM-S2 on an object that others changed is a conflict; read and made again it fits")
  void conflict() {
    NodeResource node = load("a.yaml", manifest("a"));
    String answered = manifest("a") + "status: {ipam: {used: {10.0.0.1: {owner: x}}}} # agent\n";
    world.write("a.yaml", answered);
    world.failing("list", new IOException("a conflict is answered without a look at the folder"));
    assertThat(store.update(node, withPool(node, 2))).isEqualTo(new StoreResult.Conflict());
    assertThat(store.update(NodeResource.named("b"), withPool(NodeResource.named("b"), 1)))
        .isEqualTo(new StoreResult.NotFound());
    assertThat(store.refused()).isEmpty();
    world.heal();
    assertThat(world.read("a.yaml")).isEqualTo(answered);
    stored(store.get("a"));
    world.grow(store, "a", 2);
    assertThat(world.read("a.yaml")).contains("owner: x", "10.0.0.2");
  }

  @Test
  @DisplayName("while others write another object of the file is repeated on theirs")
  void raced() {
    NodeResource node = load("a.yaml", manifest("a"));
    world.files.hook(
        (call, path, content) -> {
          if (call.equals("write")) {
            world.heal();
            world.write("a.yaml", manifest("a") + "---\n" + manifest("b"));
          }
        });
    stored(store.update(node, withPool(node, 2)));
    assertThat(world.read("a.yaml")).contains("10.0.0.2", "name: b");
  }

  @Test
  @DisplayName("to a file that is gone is not found, and to a node that never was")
  void gone() {
    NodeResource node = load("a.yaml", manifest("a"));
    world.delete("a.yaml");
    assertThat(store.update(node, withPool(node, 2))).isEqualTo(new StoreResult.NotFound());
  }

  @Test
  @DisplayName("to a file of many is in the file when it is answered, and is not told back")
  void many() {
    world.write("all.yaml", manifest("a") + "---\n" + manifest("b"));
    watch();
    markAndGrow();
    assertThat(world.read("all.yaml").split("10.0.0.3:", -1)).hasSize(3);
    assertThat(world.read("all.yaml").split("marked-for-release", -1)).hasSize(3);
    assertThat(world.told(1000)).isEmpty();
  }

  /** Writes status and spec of two nodes. */
  private void markAndGrow() {
    for (String name : List.of("a", "b")) {
      NodeResource node = latest(store, name);
      stored(store.updateStatus(node, withMark(node, "10.0.0.1")));
      NodeResource spec = world.grow(store, name, 3);
      assertThat(latest(store, name)).isEqualTo(spec);
    }
  }

  @Test
  @DisplayName("after the store was closed fails, and so does a second one of the same version")
  void closed() {
    NodeResource node = load("a.yaml", manifest("a"));
    store.close();
    assertThat(((StoreResult.Failed) store.update(node, withPool(node, 2))).detail())
        .contains("is closed");
    assertThat(world.read("a.yaml")).isEqualTo(manifest("a"));
  }

  @Test
  @DisplayName("that the disk refuses fails with its words, and the file stays")
  void diskFull() {
    NodeResource node = load("a.yaml", manifest("a"));
    world.failing("write", new IOException("No space left on device"));
    assertThat(((StoreResult.Failed) store.update(node, withPool(node, 2))).detail())
        .contains("TM-1103 STORE_UNWRITABLE", "No space left on device");
    assertThat(world.read("a.yaml")).isEqualTo(manifest("a"));
    world.heal();
    world.grow(store, "a", 2);
  }

  @Test
  @DisplayName("in a dry run is remembered, and nothing touches the disk")
  void dryRun() {
    store.close();
    world.readOnly = true;
    world.write("a.yaml", manifest("a"));
    world.write("all.yaml", manifest("b") + "---\n" + manifest("c"));
    Map<String, String> before = contents();
    store = world.open();
    DirectoryNodeResourceStore second = world.open();
    watch();
    markAndGrow();
    assertThat(world.told(1000)).isEmpty();
    assertThat(contents()).isEqualTo(before);
    assertThat(latest(store, "a").pool().size()).isEqualTo(3);
    assertThat(stored(store.get("b")).releaseIps()).hasSize(1);
    world.write("a.yaml", manifest("a").replace("10.0.0.1", "10.0.0.9"));
    assertThat(world.told(500)).containsExactly("upserted a pool 1");
    second.close();
  }

  private Map<String, String> contents() {
    Map<String, String> contents = new TreeMap<>();
    for (String name : world.names()) {
      contents.put(name, world.read(name));
    }
    return contents;
  }

  @Test
  @DisplayName("needs a home that exists and may be locked")
  void homes() throws IOException {
    Path file = world.write("a.yaml", manifest("a"));
    assertThatThrownBy(() -> world.open(directory.resolve("nowhere")))
        .isInstanceOf(IpamException.class)
        .hasMessageContainingAll("TM-1102", "does not exist");
    for (Path locked : List.of(directory, file)) {
      assertThatThrownBy(() -> world.open(locked))
          .isInstanceOf(IpamException.class)
          .hasMessageContainingAll("TM-1104", "the process " + ProcessHandle.current().pid());
    }
    store.close();
    Files.createDirectory(directory.resolve(".tidemark.lock"));
    assertThatThrownBy(() -> world.open())
        .isInstanceOf(IpamException.class)
        .hasMessageContaining("TM-1103 STORE_UNWRITABLE: cannot make the lock of ");
  }
}
