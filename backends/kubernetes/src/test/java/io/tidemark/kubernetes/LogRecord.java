package io.tidemark.kubernetes;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** The log from INFO on, while it is open; as an extension, until the test ends. Thread-safe. */
public final class LogRecord extends AppenderBase<ILoggingEvent>
    implements AutoCloseable, AfterEachCallback {
  private final Logger logger;
  private final Level before;
  private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

  /** Of the parts of this module. */
  public LogRecord() {
    this("io.tidemark.kubernetes");
  }

  LogRecord(String name) {
    logger = (Logger) LoggerFactory.getLogger(name);
    before = logger.getLevel();
    logger.setLevel(Level.INFO);
    start();
    logger.addAppender(this);
  }

  @Override
  protected void append(ILoggingEvent event) {
    events.add(event);
  }

  /** Messages of that level, in order. */
  public List<String> messages(Level level) {
    return events.stream()
        .filter(event -> event.getLevel().equals(level))
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    close();
  }

  @Override
  public void close() {
    logger.detachAppender(this);
    logger.setLevel(before);
    stop();
  }
}
