package io.tidemark.file;

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
  @DisplayName("One at a time has it; its file stays until it is removed")
  void one() throws IOException {
    Path file = folder.resolve("x.lock");
    try (ProgramLock first = ProgramLock.take(file)) {
      assertThatThrownBy(() -> ProgramLock.take(file))
          .isInstanceOf(ProgramLock.InUse.class)
          .hasMessage("the process " + ProcessHandle.current().pid());
      assertThat(first).isNotNull();
    }
    assertThat(file).exists();
    ProgramLock.take(file).remove();
    assertThat(file).doesNotExist();
  }

  @Test
  @DisplayName("A folder that is not there is an error")
  void noFolder() {
    assertThatThrownBy(() -> ProgramLock.take(folder.resolve("no/x.lock")))
        .isInstanceOf(NoSuchFileException.class);
  }
}
