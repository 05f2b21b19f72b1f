package io.tidemark.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The lock of a program")
class ProgramLockTest {
  @TempDir private Path folder;

  @Test
  @DisplayName("One at a time has it; its file stays")
  void one() throws IOException {
    Path file = folder.resolve("x.lock");
    try (ProgramLock first = ProgramLock.take(file).orElseThrow()) {
      assertThat(ProgramLock.take(file)).isEmpty();
      assertThat(first).isNotNull();
    }
    assertThat(file).exists();
    try (ProgramLock next = ProgramLock.take(file).orElseThrow()) {
      assertThat(next).isNotNull();
    }
  }

  @Test
  @DisplayName("A folder that is not there is an error")
  void noFolder() {
    assertThatThrownBy(() -> ProgramLock.take(folder.resolve("no/x.lock")))
        .isInstanceOf(NoSuchFileException.class);
  }
}
