package io.tidemark.manifests;

import static io.tidemark.manifests.StoreWorld.latest;
import static io.tidemark.manifests.StoreWorld.manifest;
import static io.tidemark.manifests.StoreWorld.withPool;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.resource.NodeResource;
import io.tidemark.resource.StoreResult;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
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
    /**
     * Has opened the file before the write began, and writes into it as if it still had the name.
     */
    OPENED_BEFORE {
      @Override
      void save(Path file, String text) {
        throw new IllegalStateException("writes into the file that it has opened");
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

  private static final String USED = "status: {ipam: {used: {10.0.0.1: {owner: x}}}} # agent\n";
  private static final String COMMENT = "# somebody was here\n";

  /** One moment at which somebody edits: before the given call, counted over all calls. */
  private record Moment(Editor editor, boolean object, boolean many, int call) {}

  @TempDir Path directory;

  static Stream<Moment> momentsOfOneObject() {
    return moments(false);
  }

  static Stream<Moment> momentsOfMany() {
    return moments(true);
  }

  private static Stream<Moment> moments(boolean many) {
    List<Moment> moments = new ArrayList<>();
    for (Editor editor : Editor.values()) {
      for (boolean object : new boolean[] {true, false}) {
        boolean inside = object && many;
        for (int call = 0; call < 26 && !(inside && editor == Editor.APPENDING); call++) {
          moments.add(new Moment(editor, object, many, call));
        }
      }
    }
    return moments.stream();
  }

  @ParameterizedTest
  @MethodSource("momentsOfOneObject")
  void oneObject(Moment moment) throws IOException {
    edited(moment);
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("momentsOfMany")
  void manyObjects(Moment moment) throws IOException {
    edited(moment);
  }

  private void edited(Moment moment) throws IOException {
    StoreWorld world = new StoreWorld(directory);
    String tail = moment.many() ? "---\n" + manifest("b") : "";
    Path file = world.write("a.yaml", manifest("a") + tail);
    String opened = Files.readString(file);
    boolean[] saved = {false};
    boolean[] last = {false, false};
    try (DirectoryNodeResourceStore store = world.open();
        FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      store.load();
      int[] calls = {0};
      world.files.hook(
          (call, path, content) -> {
            last[1] |= last[0] && !call.equals("read");
            last[0] |= call.equals("sync");
            boolean before = moment.editor() == Editor.OPENED_BEFORE;
            if (calls[0]++ != moment.call() || (before && last[1])) {
              return;
            }
            saved[0] = true;
            if (before) {
              channel.truncate(0);
              channel.write(StandardCharsets.UTF_8.encode(edited(moment, opened)));
            } else {
              moment.editor().save(file, edited(moment, Files.readString(file)));
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
      String text = world.read("a.yaml");
      assertThat(text).contains("10.0.0.2: {resource: eni-1}");
      assertThat(text.contains(mark(moment))).isEqualTo(saved[0]);
      assertThat(store.refused()).isEmpty();
    }
  }

  private static String edited(Moment moment, String text) {
    int end = moment.many() ? text.indexOf("---") : text.length();
    return moment.object() ? text.substring(0, end) + USED + text.substring(end) : text + COMMENT;
  }

  private static String mark(Moment moment) {
    return moment.object() ? "agent" : "somebody was here";
  }
}
