package io.tidemark.program;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.ContextInitializer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The log before a command has said what it wants to hear")
class StartLoggingTest {
  private static final String FILE = "logback.configurationFile";

  private final LoggerContext context = new LoggerContext();
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final PrintStream usual = System.err;
  private final @Nullable String usualFile = System.getProperty(FILE);
  @TempDir private Path folder;

  @BeforeEach
  void takeErrors() {
    System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void giveBack() {
    System.setErr(usual);
    if (usualFile == null) {
      System.clearProperty(FILE);
    } else {
      System.setProperty(FILE, usualFile);
    }
  }

  private String lines(@Nullable String file) throws Exception {
    if (file == null) {
      System.clearProperty(FILE);
    } else {
      System.setProperty(FILE, file);
    }
    new ContextInitializer(context).autoConfig();
    context.getLogger("io.tidemark.Some").warn("It is {}: é.", "late");
    context.getLogger("io.tidemark.Some").info("It is early.");
    return written.toString(StandardCharsets.UTF_8);
  }

  @Test
  @DisplayName("has warnings, as one line each on standard error")
  void warnings() throws Exception {
    assertThat(lines(null)).matches("\\S+T\\S+ WARN  Some: It is late: é\\.\\n");
  }

  @Test
  @DisplayName("is that of a file that is named")
  void file() throws Exception {
    Path file = Files.writeString(folder.resolve("none.xml"), "<configuration/>");
    assertThat(lines(file.toString())).isEmpty();
  }

  @Test
  @DisplayName("says that the file is not there")
  void missing() throws Exception {
    assertThat(lines(folder.resolve("no.xml").toString()))
        .contains("WARN  ROOT: The file of the log is not there", "no.xml\n", "It is late")
        .doesNotContain("early");
  }
}
