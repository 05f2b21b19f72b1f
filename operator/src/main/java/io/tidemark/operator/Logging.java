package io.tidemark.operator;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.tidemark.operator.console.Console;
import java.nio.charset.StandardCharsets;
import org.slf4j.LoggerFactory;

/** Log lines of the whole program, on the console above whatever is live there. */
final class Logging {
  private static final String PATTERN =
      "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{0}: %msg%n";
  private static final String NAME = "console";

  private Logging() {}

  /** From now on, all lines of this level and above. */
  static void toConsole(Console console, Level level) {
    if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
      return;
    }
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.detachAndStopAllAppenders();
    ConsoleAppender appender = new ConsoleAppender(console, context);
    appender.start();
    root.addAppender(appender);
    root.setLevel(level);
  }

  private static final class ConsoleAppender extends AppenderBase<ILoggingEvent> {
    private final Console console;
    private final PatternLayoutEncoder encoder = new PatternLayoutEncoder();

    ConsoleAppender(Console console, LoggerContext context) {
      this.console = console;
      setContext(context);
      setName(NAME);
      encoder.setContext(context);
      encoder.setPattern(PATTERN);
      encoder.start();
    }

    @Override
    protected void append(ILoggingEvent event) {
      console.note(new String(encoder.encode(event), StandardCharsets.UTF_8).stripTrailing());
    }
  }
}
