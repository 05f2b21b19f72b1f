package io.tidemark.emulator.ec2.protocol;

import java.util.Locale;

/**
 * Ends an action with an {@link Ec2Error}. Thrown inside an action and caught by the model, which
 * undoes the action; it never reaches a caller of the emulator. It has no stack trace, because a
 * refusal is not a defect.
 */
public final class Ec2Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Ec2Error error;

  public Ec2Refusal(Ec2Error error) {
    super(error.toString(), null, false, false);
    this.error = error;
  }

  /** A refusal with the usual status 400. */
  public static Ec2Refusal of(String code, String message) {
    return new Ec2Refusal(Ec2Error.of(code, message));
  }

  /** The same with a text in which each {@code %s} is replaced. */
  @SuppressWarnings("AnnotateFormatMethod")
  public static Ec2Refusal of(String code, String format, Object... arguments) {
    return of(code, String.format(Locale.ROOT, format, arguments));
  }

  /** Refuses when this is so. */
  public static void when(boolean so, String code, String format, Object... arguments) {
    if (so) {
      throw of(code, format, arguments);
    }
  }

  public Ec2Error error() {
    return error;
  }
}
