package io.tidemark.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** The log lines of one class while a test runs, at info and above. */
public final class LogLines implements AutoCloseable {
  private final Logger logger;
  private final Level before;
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  /** Records from now on; one class at a time. */
  public LogLines(Class<?> of) {
    logger = (Logger) LoggerFactory.getLogger(of);
    before = logger.getLevel();
    logger.setLevel(Level.INFO);
    lines.start();
    logger.addAppender(lines);
  }

  /** Messages at warning and above, in order. */
  public List<String> warnings() {
    return lines.list.stream()
        .filter(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  @Override
  public void close() {
    logger.detachAppender(lines);
    logger.setLevel(before);
  }
}
