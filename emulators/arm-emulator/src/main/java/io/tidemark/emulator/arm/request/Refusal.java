package io.tidemark.emulator.arm.request;

/** Ends the processing of a request with an error. */
public final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient ArmError error;

  public Refusal(ArmError error) {
    super(error.code(), null, false, false);
    this.error = error;
  }

  /** The refusal of a request that is wrong in itself. */
  public static Refusal invalid(String code, String message) {
    return of(400, code, message);
  }

  /** A refusal without details. */
  public static Refusal of(int status, String code, String message) {
    return new Refusal(ArmError.of(status, code, message));
  }

  /** The error that the client gets. */
  public ArmError error() {
    return error;
  }
}
