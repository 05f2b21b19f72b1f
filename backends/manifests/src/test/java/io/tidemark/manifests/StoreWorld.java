package io.tidemark.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.Backend.Environment;
import io.tidemark.config.ConfigSource;
import io.tidemark.file.DiskFiles;
import io.tidemark.file.HookedFiles;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.PodIpPool;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.resource.StoreResult;
import io.tidemark.time.EffectModel;
import io.tidemark.time.VirtualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** A directory on the disk, a store over it in virtual time, and a watcher that writes down. */
final class StoreWorld {
  static final int MILLI = 1_000_000;

  final Path home;
  final VirtualTime time = new VirtualTime(0);
  final HookedFiles files = new HookedFiles();
  final List<String> told = new ArrayList<>();
  EffectModel network = EffectModel.reliable(Duration.ZERO, Duration.ZERO);
  boolean readOnly;
  private int writes;

  StoreWorld(Path home) {
    this.home = home;
  }

  /** A manifest of a node with one pool address and one field that only a newer schema knows. */
  static String manifest(String name) {
    return """
        # node %1$s
        apiVersion: cilium.io/v2
        kind: CiliumNode
        metadata:
          name: %1$s
        spec:
          x-future: {keep: "me"} # unknown
          ipam:
            pre-allocate: 0
            pool:
              10.0.0.1: {resource: eni-1} # first
        """
        .replace("%1$s", name);
  }

  DirectoryNodeResourceStore open() {
    return open(home);
  }

  DirectoryNodeResourceStore open(Path path) {
    return new DirectoryNodeResourceStore(path, DirectoryBackend.OPERATOR, environment(1), files);
  }

  Environment environment(long seed) {
    return new Environment(
        ConfigSource.of(Map.of()),
        time,
        time.effects((site, timeout) -> network.decide(site, timeout)),
        new Random(seed),
        readOnly);
  }

  private static <R> R done(Callable<R> onDisk) {
    try {
      return onDisk.call();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Each write has its own time of modification; those of the disk's clock can be the same. */
  Path write(String file, String text) {
    Path written = done(() -> Files.writeString(home.resolve(file), text));
    writes++;
    return done(() -> Files.setLastModifiedTime(written, FileTime.from(writes, TimeUnit.SECONDS)));
  }

  String read(String file) {
    return done(() -> Files.readString(home.resolve(file)));
  }

  void delete(String file) {
    assertThat(done(() -> Files.deleteIfExists(home.resolve(file)))).isTrue();
  }

  /** The names of all files, those of hidden ones too. */
  List<String> names() {
    return done(() -> new DiskFiles().list(home)).stream().sorted().toList();
  }

  /** Lets {@code millis} of virtual time pass. */
  void pass(long millis) {
    time.runUntil(time.nanos() + millis * MILLI);
  }

  /** The calls of the watcher since the last call, after {@code millis} of virtual time. */
  List<String> told(long millis) {
    pass(millis);
    return told();
  }

  /** The calls of the watcher since the last call. */
  List<String> told() {
    List<String> events = List.copyOf(told);
    told.clear();
    return events;
  }

  NodeResourceStore.Watcher watcher() {
    return new NodeResourceStore.Watcher() {
      @Override
      public void upserted(NodeResource resource) {
        told.add("upserted " + resource.name() + " pool " + resource.pool().size());
      }

      @Override
      public void deleted(String name) {
        told.add("deleted " + name);
      }

      @Override
      public void refused(String name, List<ResourceProblem> problems) {
        told.add("refused " + name + ": " + problems.get(0).problem());
      }

      @Override
      public void synced() {
        told.add("synced");
      }
    };
  }

  /** Waits until it holds. */
  void eventually(String what, BooleanSupplier holds) {
    for (int i = 0; i < 30 && !holds.getAsBoolean(); i++) {
      pass(1000);
    }
    assertThat(holds.getAsBoolean()).as(what).isTrue();
  }

  /** Lets calls fail, such as {@code list}, or {@code open a.yaml}, which is of one file. */
  void failing(String calls, IOException error) {
    files.hook(
        (call, path, content) -> {
          if (calls.equals(call) || calls.equals(call + " " + path.getFileName())) {
            throw error;
          }
        });
  }

  void heal() {
    files.hook((call, path, content) -> {});
  }

  /** Gives the node, as it is known, a pool of that size. */
  NodeResource grow(NodeResourceStore store, String name, int size) {
    NodeResource node = latest(store, name);
    return stored(store.update(node, withPool(node, size)));
  }

  static NodeResource stored(StoreResult result) {
    assertThat(result).isInstanceOf(StoreResult.Stored.class);
    return ((StoreResult.Stored) result).resource();
  }

  static NodeResource latest(NodeResourceStore store, String name) {
    return store.latest(name).orElseThrow();
  }

  /** The node with a pool of the first {@code size} addresses. */
  static NodeResource withPool(NodeResource node, int size) {
    IpAddress[] addresses =
        IntStream.rangeClosed(1, size)
            .mapToObj(i -> IpAddress.parse("10.0.0." + i))
            .toArray(IpAddress[]::new);
    return node.withPool(PodIpPool.of(Map.of("eni-1", AddressSet.of(addresses))));
  }

  static NodeResource withMark(NodeResource node, String address) {
    return node.withReleaseIps(Map.of(IpAddress.parse(address), HandshakeState.MARKED_FOR_RELEASE));
  }
}
