package io.tidemark.manifests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.error.IpamException;
import io.tidemark.file.DiskFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The lock of a home")
class FolderLockTest {
  @TempDir Path directory;

  private static Runnable take(Path home) throws IOException {
    return new FolderFiles<>(ManifestKind.NODE, home, new DiskFiles(), 1, "").lock();
  }

  /** A program that takes the lock of a home, says so, and keeps it until it is ended. */
  static final class LockHolder {
    private LockHolder() {}

    /** Takes the lock of the first argument; without end of input it lives on. */
    public static void main(String[] arguments) throws IOException {
      Runnable giveBack = take(Path.of(arguments[0]));
      System.out.println("locked");
      System.in.transferTo(OutputStream.nullOutputStream());
      giveBack.run();
    }
  }

  /** Another process that holds the lock of {@code home} until it is ended. */
  private static final class Holder implements AutoCloseable {
    private final Process process;

    Holder(Path home) throws IOException {
      String classPath =
          System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
      process =
          new ProcessBuilder(
                  ProcessHandle.current().info().command().orElse("java"),
                  "-cp",
                  classPath,
                  LockHolder.class.getName(),
                  home.toString())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      BufferedReader out =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      assertThat(out.readLine()).isEqualTo("locked");
    }

    long pid() {
      return process.pid();
    }

    @Override
    public void close() {
      process.destroyForcibly().onExit().join();
    }
  }

  @Test
  @Tag("process")
  @DisplayName("names the process that holds it, and is taken over when that is dead")
  void otherProcess() throws IOException {
    try (Holder holder = new Holder(directory)) {
      assertThatThrownBy(() -> take(directory))
          .isInstanceOf(IpamException.class)
          .hasMessageContaining("TM-1104 STORE_IN_USE")
          .hasMessageContaining("the process " + holder.pid() + ",");
    }
    assertThat(directory.resolve(".tidemark.lock")).exists();
    take(directory).run();
    assertThat(directory.resolve(".tidemark.lock")).doesNotExist();
  }

  @Test
  @Tag("process")
  @DisplayName("that was refused here does not shake the holder's: it still keeps others out")
  void sameProcess() throws IOException {
    Runnable giveBack = take(directory);
    assertThatThrownBy(() -> take(directory)).isInstanceOf(IpamException.class);
    assertThat(directory.resolve(".tidemark.lock")).exists();
    assertThatThrownBy(() -> new Holder(directory)).isInstanceOf(AssertionError.class);
    giveBack.run();
    take(directory).run();
  }

  @Test
  @DisplayName("that cannot be made says so")
  void cannotBeMade() throws IOException {
    Files.createDirectory(directory.resolve(".tidemark.lock"));
    assertThatThrownBy(() -> take(directory))
        .isInstanceOf(IpamException.class)
        .hasMessageContaining("TM-1103 STORE_UNWRITABLE");
  }
}
