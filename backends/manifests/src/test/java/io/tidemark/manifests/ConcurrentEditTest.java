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
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Somebody edits the file before each single call that a write makes to the file system. */
@DisplayName("An edit of somebody else between reading and replacing is not lost")
class ConcurrentEditTest {
  /** How somebody edits. */
  private enum Editor {
    /** Writes into the file as it lies there. */
    IN_PLACE {
      @Override
      void save(Path file, String text) throws IOException {
        Files.writeString(file, text);
      }
    },
    /** Writes another file and gives it the name. */
    BY_NAME {
      @Override
      void save(Path file, String text) throws IOException {
        Path other = Files.writeString(file.resolveSibling("editor.tmp"), text);
        Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
      }
    },
    /** Writes what differs behind the file's end, when that is where it differs. */
    APPENDING {
      @Override
      void save(Path file, String text) throws IOException {
        String had = Files.readString(file);
        assertThat(text).startsWith(had);
        Files.writeString(file, text.substring(had.length()), StandardOpenOption.APPEND);
      }
    };

    abstract void save(Path file, String text) throws IOException;
  }

  private static final String USED = "status: {ipam: {used: {10.0.0.1: {owner: x}}}}\n";

  /** One moment at which somebody edits: before the given call, counted over all calls. */
  private record Moment(Editor editor, boolean many, int call) {}

  @TempDir Path directory;

  static Stream<Moment> moments() {
    List<Moment> moments = new ArrayList<>();
    for (Editor editor : Editor.values()) {
      for (int call = 0; call < 20; call++) {
        moments.add(new Moment(editor, false, call));
        if (editor != Editor.APPENDING) {
          moments.add(new Moment(editor, true, call));
        }
      }
    }
    return moments.stream();
  }

  /** Between the last comparison and the rename is a moment that no system call closes. */
  @ParameterizedTest
  @MethodSource("moments")
  void edited(Moment moment) throws IOException {
    StoreWorld world = new StoreWorld(directory);
    Path file =
        world.write("a.yaml", manifest("a") + (moment.many() ? "---\n" + manifest("b") : ""));
    boolean[] saved = {false};
    try (DirectoryNodeResourceStore store = world.open()) {
      store.load();
      int[] calls = {0};
      world.files.hook(
          (call, path, content) -> {
            if (calls[0]++ == moment.call() && !call.equals("rename")) {
              saved[0] = true;
              String text = Files.readString(file);
              int end = moment.many() ? text.indexOf("---") : text.length();
              moment.editor().save(file, text.substring(0, end) + USED + text.substring(end));
            }
          });
      NodeResource node = latest(store, "a");
      StoreResult result = store.update(node, withPool(node, 2));
      world.pass(2000);
      world.files.hook((call, path, content) -> {});
      if (result instanceof StoreResult.Conflict) {
        NodeResource fresh = StoreWorld.stored(store.get("a"));
        StoreWorld.stored(store.update(fresh, withPool(fresh, 2)));
        world.pass(2000);
      }
      store.load();
      assertThat(latest(store, "a").pool().size()).isEqualTo(2);
      assertThat(latest(store, "a").used().size()).isEqualTo(saved[0] ? 1 : 0);
      assertThat(store.refused()).isEmpty();
    }
  }
}
