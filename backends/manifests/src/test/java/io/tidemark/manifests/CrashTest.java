package io.tidemark.manifests;

import static io.tidemark.manifests.StoreWorld.latest;
import static io.tidemark.manifests.StoreWorld.manifest;
import static io.tidemark.manifests.StoreWorld.withPool;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.resource.NodeResource;
import io.tidemark.resource.StoreResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The disk fails, or the process ends, at each single call that a write makes. */
@DisplayName("A file is the old one or the new one whatever fails")
class CrashTest {
  private static final int CALLS_MAX = 20;

  /** How it ends. */
  private enum End {
    /** The call fails, the program goes on. */
    ERROR,
    /** A write stops half-way through, the program goes on. */
    HALF_WRITTEN,
    /** Nothing after the call happens any more: the process is dead. */
    DEATH
  }

  private record Failure(End end, boolean many, int call) {}

  @TempDir Path directory;

  static Stream<Failure> failures() {
    List<Failure> failures = new ArrayList<>();
    for (End end : End.values()) {
      for (int call = 0; call < CALLS_MAX; call++) {
        failures.add(new Failure(end, true, call));
        failures.add(new Failure(end, false, call));
      }
    }
    return failures.stream();
  }

  @ParameterizedTest
  @MethodSource("failures")
  void atEachCall(Failure failure) throws IOException {
    StoreWorld world = new StoreWorld(directory);
    String before = manifest("a") + (failure.many() ? "---\n" + manifest("b") : "");
    String after = written(before);
    world.write("a.yaml", before);
    DirectoryNodeResourceStore store = world.open();
    store.load();
    int[] calls = {0};
    world.files.hook(
        (call, path, content) -> {
          int number = calls[0]++;
          boolean dead = failure.end() == End.DEATH && number > failure.call();
          if (dead || number == failure.call()) {
            if (!dead && failure.end() == End.HALF_WRITTEN && call.equals("write")) {
              Files.write(path, java.util.Arrays.copyOf(content, content.length / 2));
            }
            throw new IOException("failure before " + call);
          }
        });
    NodeResource node = latest(store, "a");
    StoreResult result = store.update(node, withPool(node, 2));
    world.pass(150);
    String found = world.read("a.yaml");
    assertThat(found).isIn(before, after);
    if (result instanceof StoreResult.Stored && !failure.many()) {
      assertThat(found).isEqualTo(after);
    }
    if (failure.end() != End.DEATH) {
      world.pass(1000);
    }
    store.close();
    assertThat(world.read("a.yaml")).isIn(before, after);
    world.files.hook((call, path, content) -> {});
    goesOnAfterwards(world, after);
  }

  /** The file after the same write where nothing fails. */
  private static String written(String before) throws IOException {
    Path undisturbed = Files.createTempDirectory("written");
    StoreWorld world = new StoreWorld(undisturbed);
    world.write("a.yaml", before);
    try (DirectoryNodeResourceStore store = world.open()) {
      store.load();
      NodeResource node = latest(store, "a");
      StoreWorld.stored(store.update(node, withPool(node, 2)));
    }
    String after = world.read("a.yaml");
    world.delete("a.yaml");
    Files.delete(undisturbed);
    return after;
  }

  private void goesOnAfterwards(StoreWorld world, String after) throws IOException {
    try (DirectoryNodeResourceStore store = world.open()) {
      store.load();
      NodeResource node = latest(store, "a");
      StoreResult result = store.update(node, withPool(node, 2));
      assertThat(result)
          .matches(
              each -> each instanceof StoreResult.Stored || each instanceof StoreResult.Unchanged);
    }
    assertThat(world.read("a.yaml")).isEqualTo(after);
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(each -> each.getFileName().toString())).containsExactly("a.yaml");
    }
  }
}
