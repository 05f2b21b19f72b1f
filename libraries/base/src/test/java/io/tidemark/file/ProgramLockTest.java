package io.tidemark.file;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The lock of a program")
class ProgramLockTest {
  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void file() {
    file = folder.resolve("x.lock");
  }

  /** A program that takes a lock, says so, and keeps it until it is ended. */
  static final class LockHolder {
    private LockHolder() {}

    /** Takes the lock on the first argument; without end of input it lives on. */
    public static void main(String[] arguments) throws IOException {
      ProgramLock lock = ProgramLock.takeNamed(Path.of(arguments[0]));
      System.out.println("locked");
      System.in.transferTo(OutputStream.nullOutputStream());
      lock.close();
    }
  }

  /** Another process that has the lock until it is ended. */
  private static final class Holder implements AutoCloseable {
    private final Process process;

    Holder(Path file) throws IOException {
      String classPath =
          System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
      String java = ProcessHandle.current().info().command().orElse("java");
      process =
          new ProcessBuilder(java, "-cp", classPath, LockHolder.class.getName(), file.toString())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      BufferedReader out =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      assertThat(out.readLine()).isEqualTo("locked");
    }

    @Override
    public void close() {
      process.destroyForcibly().onExit().join();
    }
  }

  private void isInUse(long pid) {
    assertThatThrownBy(() -> ProgramLock.takeNamed(file))
        .isInstanceOf(ProgramLock.InUse.class)
        .hasMessage("the process " + pid);
  }

  @Test
  @DisplayName("One at a time has it; its file stays, and is empty, except a named one")
  void one() throws IOException {
    try (ProgramLock first = ProgramLock.take(file)) {
      isInUse(ProcessHandle.current().pid());
      assertThat(first).isNotNull();
    }
    assertThat(file).as("a full disk refuses writes").isEmptyFile();
    ProgramLock.takeNamed(file).remove();
    assertThat(file).doesNotExist();
  }

  @Test
  @Tag("process")
  @DisplayName("It names the process that has it, and is taken over when that is dead")
  void otherProcess() throws IOException {
    try (Holder holder = new Holder(file)) {
      isInUse(holder.process.pid());
    }
    assertThat(file).exists();
    ProgramLock.takeNamed(file).remove();
    assertThat(file).doesNotExist();
  }

  @Test
  @Tag("process")
  @DisplayName("One that was refused here still keeps other processes out")
  void sameProcessThenOther() throws IOException {
    try (ProgramLock held = ProgramLock.takeNamed(file)) {
      isInUse(ProcessHandle.current().pid());
      assertThatThrownBy(() -> new Holder(file)).isInstanceOf(AssertionError.class);
      assertThat(held).isNotNull();
    }
  }

  @Test
  @DisplayName("A lock that another part of this program took by itself is in use until it is free")
  void overlapping() throws IOException {
    try (FileChannel other = FileChannel.open(file, CREATE, WRITE)) {
      assertThat(other.lock()).isNotNull();
      isInUse(ProcessHandle.current().pid());
    }
    ProgramLock.take(file).close();
  }

  @Test
  @DisplayName("A folder that is not there is an error")
  void noFolder() {
    assertThatThrownBy(() -> ProgramLock.takeNamed(folder.resolve("no/x.lock")))
        .isInstanceOf(NoSuchFileException.class);
  }
}
