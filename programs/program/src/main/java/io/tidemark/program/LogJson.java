package io.tidemark.program;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.program.console.Secrets;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A log line as one JSON object: {@code time}, {@code level}, {@code logger}, {@code message}, then
 * each {@code name={}} of the message as a field of its own. Messages are constant, so that lines
 * can be grouped by them. Secrets are masked before the text is quoted, in message, fields and
 * exceptions with their causes.
 */
final class LogJson extends EncoderBase<ILoggingEvent> {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** A value with its name in front, as all our messages have it. */
  private static final Pattern NAMED = Pattern.compile("(?:([A-Za-z][A-Za-z0-9_.-]*)=)?\\{\\}");

  private final Secrets secrets;

  LogJson(Secrets secrets) {
    this.secrets = secrets;
  }

  @Override
  public byte[] headerBytes() {
    return new byte[0];
  }

  @Override
  public byte[] footerBytes() {
    return new byte[0];
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    ObjectNode line = MAPPER.createObjectNode();
    line.put("time", Instant.ofEpochMilli(event.getTimeStamp()).toString());
    line.put("level", event.getLevel().toString());
    line.put("logger", event.getLoggerName());
    line.put("message", masked(event.getFormattedMessage()));
    Object[] values = event.getArgumentArray();
    if (values != null && event.getMessage() != null) {
      fields(line, event.getMessage(), List.of(texts(values)));
    }
    if (event.getThrowableProxy() != null) {
      line.put("exception", masked(ThrowableProxyUtil.asString(event.getThrowableProxy())));
    }
    return (line + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private void fields(ObjectNode line, String message, List<String> values) {
    Matcher place = NAMED.matcher(message);
    for (int i = 0; i < values.size() && place.find(); i++) {
      String name = place.group(1);
      if (name != null && !line.has(name)) {
        line.put(name, value(name, values.get(i)));
      }
    }
  }

  /** Together with its name, which may be what gives it away. */
  private String value(String name, String value) {
    String named = name + "=";
    String masked = masked(named + value);
    return masked.startsWith(named) ? masked.substring(named.length()) : masked(value);
  }

  private String masked(@Nullable String text) {
    return text == null ? "" : secrets.masked(text);
  }

  private static String[] texts(Object[] values) {
    String[] texts = new String[values.length];
    for (int i = 0; i < values.length; i++) {
      texts[i] = String.valueOf(values[i]);
    }
    return texts;
  }
}
