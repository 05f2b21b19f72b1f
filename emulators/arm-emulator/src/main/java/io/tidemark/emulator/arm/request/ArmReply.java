package io.tidemark.emulator.arm.request;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.document.DocumentJson;
import io.tidemark.emulator.kit.pace.Delivery;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A response and its delivery. The body is printed on the first call of {@link #body()}, from the
 * state of the model at that time. A caller that keeps a response must call it before the next
 * request. Not thread-safe until then.
 */
public final class ArmReply {
  private final int status;
  private final Map<String, String> headers;
  private Supplier<String> body;
  private final Duration latency;
  private final Delivery delivery;

  private ArmReply(
      int status,
      Map<String, String> headers,
      Supplier<String> body,
      Duration latency,
      Delivery delivery) {
    this.status = status;
    this.headers = headers;
    this.body = body;
    this.latency = latency;
    this.delivery = delivery;
  }

  /** A response that arrives at once. */
  public static ArmReply of(int status, Document body) {
    return of(status, () -> body);
  }

  /** The same with a body that is made when its text is asked for. */
  public static ArmReply of(int status, Supplier<Document> body) {
    return new ArmReply(
        status, Map.of(), () -> DocumentJson.print(body.get()), Duration.ZERO, Delivery.SENT);
  }

  /** The response of an error. */
  public static ArmReply of(ArmError error) {
    ArmReply reply = of(error.status(), Document.of("error", error.document()));
    return error.retryAfter().map(wait -> reply.with("Retry-After", seconds(wait))).orElse(reply);
  }

  /** A time as a Retry-After tells it: whole seconds. */
  public static String seconds(Duration wait) {
    return Long.toString(wholeSeconds(wait).toSeconds());
  }

  /** A time rounded up to whole seconds. */
  public static Duration wholeSeconds(Duration wait) {
    return Duration.ofSeconds(wait.plusNanos(999_999_999).toSeconds());
  }

  /** Of HTTP. */
  public int status() {
    return status;
  }

  /** Unmodifiable. */
  public Map<String, String> headers() {
    return headers;
  }

  /** JSON mostly; a fault may give anything. */
  public String body() {
    String made = body.get();
    body = () -> made;
    return made;
  }

  /** Between request and response. */
  public Duration latency() {
    return latency;
  }

  /** Whether it is sent. */
  public Delivery delivery() {
    return delivery;
  }

  /** The same with one more header. */
  public ArmReply with(String name, String value) {
    return withAll(Map.of(name, value));
  }

  /** The same with the headers of {@code more} in addition. */
  public ArmReply withAll(Map<String, String> more) {
    if (more.isEmpty()) {
      return this;
    }
    Map<String, String> all = new LinkedHashMap<>(headers);
    all.putAll(more);
    return new ArmReply(status, Map.copyOf(all), body, latency, delivery);
  }

  /** Any text, as something between client and Azure may send it. */
  public static ArmReply ofText(int status, String text) {
    return new ArmReply(status, Map.of(), () -> text, Duration.ZERO, Delivery.SENT);
  }

  /** The same with the first half of its body. */
  public ArmReply truncated() {
    String text = body();
    return new ArmReply(
        status, headers, () -> text.substring(0, text.length() / 2), latency, delivery);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ArmReply that
        && status == that.status
        && headers.equals(that.headers)
        && body().equals(that.body())
        && latency.equals(that.latency)
        && delivery == that.delivery;
  }

  @Override
  public int hashCode() {
    return Objects.hash(status, headers, body());
  }

  @Override
  public String toString() {
    return status + " " + headers + " " + body();
  }

  /** The same that takes so long and is delivered so. */
  public ArmReply delivered(Duration after, Delivery how) {
    return new ArmReply(status, headers, body, after, how);
  }
}
