package io.tidemark.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.file.CrashingFiles.Crash;
import io.tidemark.file.CrashingFiles.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A file that is replaced as a whole")
class AtomicFileTest {
  private static final Path PATH = Path.of("/state/attachments.json");
  private static final byte[] OLD = "the old content".getBytes(UTF_8);
  private static final byte[] NEW = "what replaces it".getBytes(UTF_8);
  private static final int MAX = 1000;

  @TempDir private Path folder;

  @Test
  @DisplayName("It is written beside, named, and its name is made durable")
  void order() throws IOException {
    CrashingFiles files = new CrashingFiles();
    new AtomicFile(PATH, files).write(NEW);

    assertThat(files.changes())
        .containsExactly(
            "write .attachments.json.tidemark-new", "rename attachments.json", "sync state");
    assertThat(files.names()).containsExactly(PATH);
  }

  @Test
  @DisplayName("A crash before, within and after each step leaves the old content or the new one")
  void crashes() throws IOException {
    for (int step = 0; step < 3; step++) {
      for (Fault fault : List.of(Fault.CRASH_BEFORE, Fault.CRASH_INSIDE, Fault.CRASH_AFTER)) {
        for (int written = 0; written <= NEW.length; written++) {
          CrashingFiles files = withOldContent();
          AtomicFile file = new AtomicFile(PATH, files);
          files.fault(3 + step, fault, written);
          assertThatThrownBy(() -> file.write(NEW)).isInstanceOf(Crash.class);
          files.losePower(new Random(written));

          assertThat(file.read(MAX).orElseThrow()).isIn(OLD, NEW);
          file.sweep();
          assertThat(files.names()).containsExactly(PATH);
        }
      }
    }
  }

  @Test
  @DisplayName("What was written survives a loss of power")
  void durable() throws IOException {
    for (int seed = 0; seed < 20; seed++) {
      CrashingFiles files = withOldContent();
      AtomicFile file = new AtomicFile(PATH, files);
      file.write(NEW);
      files.losePower(new Random(seed));

      assertThat(file.read(MAX)).hasValue(NEW);
    }
  }

  @Test
  @DisplayName("A step that fails leaves nothing beside the file, and the next write succeeds")
  void failures() throws IOException {
    for (int step = 0; step < 3; step++) {
      CrashingFiles files = withOldContent();
      AtomicFile file = new AtomicFile(PATH, files);
      files.fault(3 + step, Fault.FAILS, 0);
      assertThatThrownBy(() -> file.write(NEW)).hasMessage("no space left");

      assertThat(files.names()).containsExactly(PATH);
      assertThat(file.read(MAX)).hasValue(step < 2 ? OLD : NEW);
      file.write(NEW);
      assertThat(file.read(MAX)).hasValue(NEW);
    }
  }

  @Test
  @DisplayName("On a disk only its owner may read it, and a larger content than allowed is refused")
  void disk() throws IOException {
    AtomicFile file = new AtomicFile(folder.resolve("state"), new DiskFiles());
    assertThat(file.read(MAX)).isEmpty();
    file.write(OLD);
    file.write(NEW);

    assertThat(file.read(MAX)).hasValue(NEW);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.path())))
        .isEqualTo("rw-------");
    assertThatThrownBy(() -> file.read(3)).isInstanceOf(FileTooLarge.class);
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).containsExactly(file.path());
    }
  }

  @Test
  @DisplayName("Where it is asked for, the content before the last write is kept, at every instant")
  void previous() throws IOException {
    for (int step = 0; step < 5; step++) {
      for (Fault fault : Fault.values()) {
        CrashingFiles files = new CrashingFiles();
        AtomicFile file = AtomicFile.keepingPrevious(PATH, files);
        file.write(OLD);
        assertThat(file.readPrevious(MAX)).isEmpty();
        file.write(NEW);
        assertThat(file.readPrevious(MAX)).hasValue(OLD);

        files.fault(files.changes().size() + step, fault, 3);
        assertThatThrownBy(() -> file.write(OLD)).isInstanceOfAny(IOException.class, Crash.class);
        files.losePower(new Random(step));
        assertThat(file.readPrevious(MAX).orElseThrow()).isIn(OLD, NEW);
        assertThat(file.read(MAX).orElseThrow()).isIn(OLD, NEW);
        file.sweep();
        assertThat(files.names()).hasSize(2);
      }
    }
  }

  @Test
  @DisplayName("A damaged content is put aside when the one before it takes its place")
  void restored() throws IOException {
    CrashingFiles files = new CrashingFiles();
    AtomicFile file = AtomicFile.keepingPrevious(PATH, files);
    file.write(OLD);
    file.write(NEW);
    file.restorePrevious(file.readPrevious(MAX).orElseThrow(), ".bad");
    assertThat(file.read(MAX)).hasValue(OLD);
    assertThat(file.readPrevious(MAX)).hasValue(OLD);
    assertThat(new AtomicFile(Path.of("/state/attachments.json.bad"), files).read(MAX))
        .hasValue(NEW);
    file.moveAside(".bad");
    assertThat(file.read(MAX)).isEmpty();
  }

  private static CrashingFiles withOldContent() throws IOException {
    CrashingFiles files = new CrashingFiles();
    new AtomicFile(PATH, files).write(OLD);
    return files;
  }
}
