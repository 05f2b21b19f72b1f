package io.tidemark.program;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.encoder.Encoder;
import io.tidemark.program.console.Console;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Log lines of the whole program, on the console above whatever is live there. */
final class Logging {
  private static final String PATTERN =
      "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{0}: %msg%n";
  private static final String NAME = "console";

  /** Tells with stack traces what our own lines tell in words. */
  private static final String KUBERNETES_CLIENT = "io.fabric8.kubernetes";

  /** The same, as errors, before we know whether one is; of the Kubernetes client its watches. */
  private static final List<String> RETRIED =
      List.of(
          "com.azure",
          "com.microsoft.aad",
          KUBERNETES_CLIENT + ".client.dsl.internal",
          KUBERNETES_CLIENT + ".client.jdkhttp");

  /** Its finer lines tell every byte of every request, among them what a client keeps secret. */
  private static final String HTTP_SERVER = "org.eclipse.jetty";

  /** The same of its HTTP client; a property of the JDK asks for requests, at the level INFO. */
  private static final String JDK = "jdk";

  /** The same, and a warning for each connection of a Unix socket. */
  private static final String RPC_SERVER = "io.grpc.netty";

  private Logging() {}

  /** From now on, all lines of this level and above. */
  static void toConsole(Console console, Level level, OutputFormat format) {
    if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
      return;
    }
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.detachAndStopAllAppenders();
    ConsoleAppender appender =
        new ConsoleAppender(console, context, encoder(context, format, console));
    appender.start();
    root.addAppender(appender);
    root.setLevel(level);
    context
        .getLogger(KUBERNETES_CLIENT)
        .setLevel(level.isGreaterOrEqual(Level.INFO) ? Level.ERROR : level);
    for (String client : RETRIED) {
      context.getLogger(client).setLevel(level.isGreaterOrEqual(Level.INFO) ? Level.OFF : level);
    }
    context
        .getLogger(HTTP_SERVER)
        .setLevel(level.isGreaterOrEqual(Level.WARN) ? level : Level.WARN);
    context.getLogger(JDK).setLevel(level.isGreaterOrEqual(Level.INFO) ? level : Level.INFO);
    context.getLogger(RPC_SERVER).setLevel(Level.ERROR);
  }

  private static Encoder<ILoggingEvent> encoder(
      LoggerContext context, OutputFormat format, Console console) {
    if (format == OutputFormat.JSON) {
      LogJson json = new LogJson(console.secrets());
      json.setContext(context);
      json.start();
      return json;
    }
    return text(context);
  }

  /** For people. */
  static Encoder<ILoggingEvent> text(LoggerContext context) {
    PatternLayoutEncoder text = new PatternLayoutEncoder();
    text.setContext(context);
    text.setPattern(PATTERN);
    text.setCharset(StandardCharsets.UTF_8);
    text.start();
    return text;
  }

  private static final class ConsoleAppender extends AppenderBase<ILoggingEvent> {
    private final Console console;
    private final Encoder<ILoggingEvent> encoder;

    ConsoleAppender(Console console, LoggerContext context, Encoder<ILoggingEvent> encoder) {
      this.console = console;
      this.encoder = encoder;
      setContext(context);
      setName(NAME);
    }

    @Override
    protected void append(ILoggingEvent event) {
      console.note(new String(encoder.encode(event), StandardCharsets.UTF_8).stripTrailing());
    }
  }
}
