package io.tidemark.manifests;

import io.tidemark.cluster.Backend.Environment;
import io.tidemark.config.ConfigSource;
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
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

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
    return new DirectoryNodeResourceStore(path, DirectoryBackend.OPERATOR, environment(), files);
  }

  Environment environment() {
    return new Environment(
        ConfigSource.of(Map.of()),
        time,
        time.effects((site, timeout) -> network.decide(site, timeout)),
        new Random(1),
        readOnly);
  }

  /** Each write has its own time of modification; those of the disk's clock can be the same. */
  Path write(String file, String text) {
    try {
      Path written = Files.writeString(home.resolve(file), text);
      writes++;
      return Files.setLastModifiedTime(written, FileTime.from(writes, TimeUnit.SECONDS));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String read(String file) {
    try {
      return Files.readString(home.resolve(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void delete(String file) {
    try {
      Files.delete(home.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Lets {@code millis} of virtual time pass. */
  void pass(long millis) {
    time.runUntil(time.nanos() + millis * MILLI);
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

  static NodeResource stored(StoreResult result) {
    return result.match(
        resource -> resource,
        () -> failed(result),
        () -> failed(result),
        () -> failed(result),
        refused -> failed(result),
        detail -> failed(result));
  }

  private static NodeResource failed(StoreResult result) {
    throw new AssertionError("not stored: " + result);
  }

  static NodeResource latest(NodeResourceStore store, String name) {
    return store.latest(name).orElseThrow(() -> new AssertionError("no " + name));
  }

  /** The node with a pool of the first {@code size} addresses. */
  static NodeResource withPool(NodeResource node, int size) {
    AddressSet addresses = AddressSet.of();
    for (int i = 1; i <= size; i++) {
      addresses = addresses.plus(AddressSet.of(IpAddress.parse("10.0.0." + i)));
    }
    return node.withPool(PodIpPool.of(Map.of("eni-1", addresses)));
  }

  static NodeResource withMark(NodeResource node, String address) {
    return node.withReleaseIps(Map.of(IpAddress.parse(address), HandshakeState.MARKED_FOR_RELEASE));
  }
}
