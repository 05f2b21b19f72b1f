package io.tidemark.emulator.arm.request;

import io.tidemark.emulator.arm.document.Document;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * An error as ARM tells it.
 *
 * @param status of HTTP
 * @param details inner errors, which are more exact
 * @param retryAfter the header of that name; empty without one
 */
public record ArmError(
    int status,
    String code,
    String message,
    List<ArmError> details,
    Optional<Duration> retryAfter) {
  public ArmError {
    details = List.copyOf(details);
  }

  /** An error without details. */
  public static ArmError of(int status, String code, String message) {
    return new ArmError(status, code, message, List.of(), Optional.empty());
  }

  /** The same with a text in which each {@code %s} is replaced. */
  @SuppressWarnings("AnnotateFormatMethod")
  public static ArmError of(int status, String code, String format, Object... arguments) {
    return of(status, code, String.format(Locale.ROOT, format, arguments));
  }

  /** The same with one inner error. */
  public ArmError because(String innerCode, String format, Object... arguments) {
    ArmError inner = of(status, innerCode, format, arguments);
    return new ArmError(status, code, message, List.of(inner), retryAfter);
  }

  /** The same with a Retry-After. */
  public ArmError after(Duration wait) {
    return new ArmError(status, code, message, details, Optional.of(wait));
  }

  /** The object under {@code error}. */
  public Document document() {
    Document error = Document.of("code", code).with("message", message);
    return details.isEmpty()
        ? error
        : error.with("details", details.stream().map(ArmError::document).toList());
  }
}
