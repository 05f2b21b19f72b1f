package io.tidemark.emulator.arm.request;

/** Ends the processing of a request with an error. */
public final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient ArmError error;

  public Refusal(ArmError error) {
    super(error.code(), null, false, false);
    this.error = error;
  }

  /** The refusal of a request that is wrong in itself; {@code %s} in the text is replaced. */
  public static Refusal invalid(String code, String format, Object... arguments) {
    return of(400, code, format, arguments);
  }

  /** A refusal without details. */
  public static Refusal of(int status, String code, String format, Object... arguments) {
    return new Refusal(ArmError.of(status, code, format, arguments));
  }

  /** Refuses a request as wrong in itself when this is so. */
  public static void when(boolean so, String code, String format, Object... arguments) {
    when(so, 400, code, format, arguments);
  }

  /** Refuses when this is so. */
  public static void when(boolean so, int status, String code, String format, Object... arguments) {
    if (so) {
      throw of(status, code, format, arguments);
    }
  }

  /** The error that the client gets. */
  public ArmError error() {
    return error;
  }
}
