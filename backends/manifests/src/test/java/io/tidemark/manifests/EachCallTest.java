package io.tidemark.manifests;

import static io.tidemark.manifests.StoreWorld.latest;
import static io.tidemark.manifests.StoreWorld.manifest;
import static io.tidemark.manifests.StoreWorld.stored;
import static io.tidemark.manifests.StoreWorld.withPool;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.resource.NodeResource;
import io.tidemark.resource.StoreResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Something happens at each single call that a write makes to the file system. */
@DisplayName("At each call of a write")
class EachCallTest {
  private static final int CALLS_MAX = 20;
  private static final String USED = "status: {ipam: {used: {10.0.0.1: {owner: x}}}}\n";

  /** How somebody edits. */
  private enum Editor {
    /** Writes into the file as it lies there. */
    IN_PLACE,
    /** Writes another file and gives it the name. */
    BY_NAME,
    /** Writes behind the file's end. */
    APPENDING
  }

  /** How the write ends. */
  private enum End {
    /** The call fails, the program goes on. */
    ERROR,
    /** A write stops half-way through, the program goes on. */
    HALF_WRITTEN,
    /** Nothing after the call happens any more: the process is dead. */
    DEATH
  }

  /**
   * One moment.
   *
   * @param many whether the file has another object
   * @param call counted over all calls
   */
  private record Moment<E>(E event, boolean many, int call) {
    String before() {
      return manifest("a") + (many ? "---\n" + manifest("b") : "");
    }
  }

  @TempDir Path directory;
  private StoreWorld world;

  @BeforeEach
  void open() {
    world = new StoreWorld(directory);
  }

  private static <E> Stream<Moment<E>> moments(E[] events) {
    List<Moment<E>> moments = new ArrayList<>();
    for (E event : events) {
      for (int call = 0; call < CALLS_MAX; call++) {
        moments.add(new Moment<>(event, true, call));
        moments.add(new Moment<>(event, false, call));
      }
    }
    return moments.stream();
  }

  static Stream<Moment<Editor>> edits() {
    return moments(Editor.values()).filter(it -> it.event() != Editor.APPENDING || !it.many());
  }

  /** Between the last comparison and the rename is a moment that no system call closes. */
  @ParameterizedTest
  @MethodSource("edits")
  @DisplayName("an edit of somebody else between reading and replacing is not lost")
  void edited(Moment<Editor> moment) throws IOException {
    Path file = world.write("a.yaml", moment.before());
    boolean[] saved = {false};
    try (DirectoryNodeResourceStore store = world.open()) {
      store.load();
      int[] calls = {0};
      world.files.hook(
          (call, path, content) -> {
            if (calls[0]++ == moment.call() && !call.equals("rename")) {
              saved[0] = true;
              edit(moment, file);
            }
          });
      NodeResource node = latest(store, "a");
      StoreResult result = store.update(node, withPool(node, 2));
      world.pass(2000);
      world.heal();
      if (result instanceof StoreResult.Conflict) {
        stored(store.get("a"));
        world.grow(store, "a", 2);
        world.pass(2000);
      }
      store.load();
      assertThat(latest(store, "a").pool().size()).isEqualTo(2);
      assertThat(latest(store, "a").used().size()).isEqualTo(saved[0] ? 1 : 0);
      assertThat(store.refused()).isEmpty();
    }
  }

  private static void edit(Moment<Editor> moment, Path file) throws IOException {
    String had = Files.readString(file);
    int end = moment.many() ? had.indexOf("---") : had.length();
    String text = had.substring(0, end) + USED + had.substring(end);
    switch (moment.event()) {
      case IN_PLACE -> Files.writeString(file, text);
      case BY_NAME -> {
        Path other = Files.writeString(file.resolveSibling("editor.tmp"), text);
        Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
      }
      case APPENDING -> Files.writeString(file, USED, StandardOpenOption.APPEND);
    }
  }

  static Stream<Moment<End>> failures() {
    return moments(End.values());
  }

  @ParameterizedTest
  @MethodSource("failures")
  @DisplayName("the file is the old one or the new one whatever fails")
  void failed(Moment<End> moment) {
    String after = written(moment.before(), StoreResult.Stored.class);
    world.write("a.yaml", moment.before());
    DirectoryNodeResourceStore store = world.open();
    store.load();
    int[] calls = {0};
    world.files.hook(
        (call, path, content) -> {
          int number = calls[0]++;
          boolean dead = moment.event() == End.DEATH && number > moment.call();
          if (dead || number == moment.call()) {
            if (!dead && moment.event() == End.HALF_WRITTEN && call.equals("write")) {
              Files.write(path, Arrays.copyOf(content, content.length / 2));
            }
            throw new IOException("failure before " + call);
          }
        });
    NodeResource node = latest(store, "a");
    StoreResult result = store.update(node, withPool(node, 2));
    world.pass(150);
    assertThat(world.read("a.yaml")).isIn(moment.before(), after);
    if (result instanceof StoreResult.Stored && !moment.many()) {
      assertThat(world.read("a.yaml")).isEqualTo(after);
    }
    if (moment.event() != End.DEATH) {
      world.pass(1000);
    }
    store.close();
    assertThat(world.read("a.yaml")).isIn(moment.before(), after);
    world.heal();
    assertThat(written(world.read("a.yaml"), StoreResult.Stored.class, StoreResult.Unchanged.class))
        .as("it goes on afterwards")
        .isEqualTo(after);
    assertThat(world.names()).containsExactly("a.yaml");
  }

  /** The file after a write with one of these results. */
  private String written(String before, Class<?>... results) {
    world.write("a.yaml", before);
    try (DirectoryNodeResourceStore store = world.open()) {
      store.load();
      NodeResource node = latest(store, "a");
      assertThat(store.update(node, withPool(node, 2))).isInstanceOfAny(results);
    }
    return world.read("a.yaml");
  }
}
