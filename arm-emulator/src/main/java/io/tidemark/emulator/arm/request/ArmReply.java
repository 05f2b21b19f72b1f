package io.tidemark.emulator.arm.request;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.document.DocumentJson;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A response and its delivery.
 *
 * @param status of HTTP
 * @param body JSON mostly; a fault may give anything
 * @param latency between request and response
 * @param delivery whether it is sent
 */
public record ArmReply(
    int status, Map<String, String> headers, String body, Duration latency, Delivery delivery) {
  /** What becomes of a response. */
  public enum Delivery {
    /** It arrives. */
    SENT,
    /** The connection breaks instead. */
    LOST,
    /** Nothing ever comes. */
    NEVER
  }

  public ArmReply {
    headers = Map.copyOf(headers);
  }

  /** A response that arrives at once. */
  public static ArmReply of(int status, Document body) {
    return new ArmReply(status, Map.of(), DocumentJson.print(body), Duration.ZERO, Delivery.SENT);
  }

  /** The response of an error. */
  public static ArmReply of(ArmError error) {
    ArmReply reply = of(error.status(), Document.of("error", error.document()));
    return error.retryAfter().map(wait -> reply.with("Retry-After", seconds(wait))).orElse(reply);
  }

  /** Whole seconds, rounded up, as in a Retry-After. */
  public static String seconds(Duration wait) {
    return Long.toString(wait.plusNanos(999_999_999).toSeconds());
  }

  /** The same with one more header. */
  public ArmReply with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new ArmReply(status, more, body, latency, delivery);
  }

  /** The same with the headers of {@code more} in addition. */
  public ArmReply withAll(Map<String, String> more) {
    Map<String, String> all = new LinkedHashMap<>(headers);
    all.putAll(more);
    return new ArmReply(status, all, body, latency, delivery);
  }

  /** The same that takes so long and is delivered so. */
  public ArmReply delivered(Duration after, Delivery how) {
    return new ArmReply(status, headers, body, after, how);
  }
}
