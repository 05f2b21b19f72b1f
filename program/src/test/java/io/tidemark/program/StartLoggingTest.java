package io.tidemark.program;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.Configurator.ExecutionStatus;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ServiceLoader;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

@DisplayName("The log before a command has said what it wants to hear")
@ResourceLock(Resources.SYSTEM_ERR)
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class StartLoggingTest {
  private static final String FILE = "logback.configurationFile";

  private final LoggerContext context = new LoggerContext();

  private static Configurator service() {
    return ServiceLoader.load(Configurator.class).stream()
        .filter(provider -> provider.type() == StartLogging.class)
        .findFirst()
        .orElseThrow()
        .get();
  }

  private static ExecutionStatus configured(LoggerContext context, boolean file) {
    String before = System.getProperty(FILE);
    if (file) {
      System.setProperty(FILE, "any.xml");
    } else {
      System.clearProperty(FILE);
    }
    try {
      return service().configure(context);
    } finally {
      if (before == null) {
        System.clearProperty(FILE);
      } else {
        System.setProperty(FILE, before);
      }
    }
  }

  @Test
  @DisplayName("has warnings, as one line each on standard error")
  void warnings() {
    assertThat(configured(context, false)).isEqualTo(ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY);
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    PrintStream usual = System.err;
    System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    try {
      context.getLogger("io.tidemark.Some").warn("It is {}.", "late");
      context.getLogger("io.tidemark.Some").info("It is early.");
    } finally {
      System.setErr(usual);
    }
    assertThat(written.toString(StandardCharsets.UTF_8))
        .matches("\\S+T\\S+ WARN  Some: It is late\\.\\n");
  }

  @Test
  @DisplayName("is that of a file that is named")
  void file() {
    assertThat(configured(context, true)).isEqualTo(ExecutionStatus.INVOKE_NEXT_IF_ANY);
  }
}
