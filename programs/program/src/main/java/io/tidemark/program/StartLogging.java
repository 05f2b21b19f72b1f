package io.tidemark.program;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.DefaultJoranConfigurator;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Warnings on standard error, until a command has said how much it wants to hear, and where.
 * Logback finds it as a service; a file that {@code logback.configurationFile} names counts
 * instead. No file is read and no pattern is parsed before there is a line to write, since a
 * command such as {@code --help} would spend a fifth of its time on that.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_NORMAL_PRIORITY)
public final class StartLogging extends ContextAwareBase implements Configurator {
  private static final String FILE = "logback.configurationFile";

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    String file = System.getProperty(FILE);
    if (file != null && new Search(context).isFound()) {
      return ExecutionStatus.INVOKE_NEXT_IF_ANY;
    }
    Lines lines = new Lines(context);
    lines.start();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.WARN);
    root.addAppender(lines);
    if (file != null) {
      root.warn("The file of the log is not there; its usual settings are used. {}={}", FILE, file);
    }
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  /** Logback's own search for a file. */
  private static final class Search extends DefaultJoranConfigurator {
    Search(LoggerContext logs) {
      setContext(logs);
    }

    boolean isFound() {
      return performMultiStepConfigurationFileSearch(false) != null;
    }
  }

  private static final class Lines extends AppenderBase<ILoggingEvent> {
    private final LoggerContext logs;
    private @Nullable Encoder<ILoggingEvent> encoder;

    Lines(LoggerContext logs) {
      this.logs = logs;
      setContext(logs);
    }

    /** The superclass calls it in one thread at a time. */
    @Override
    protected void append(ILoggingEvent event) {
      Encoder<ILoggingEvent> text = encoder;
      if (text == null) {
        text = Logging.text(logs);
        encoder = text;
      }
      System.err.print(new String(text.encode(event), StandardCharsets.UTF_8));
    }
  }
}
