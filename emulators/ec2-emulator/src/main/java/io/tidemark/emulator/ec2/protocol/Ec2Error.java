package io.tidemark.emulator.ec2.protocol;

/**
 * An error of EC2: the code that clients match, a message, and the HTTP status.
 *
 * @param code as the EC2 API reference lists it under "Error codes", without {@code Client.}
 * @param message one sentence with the offending value
 * @param status the HTTP status
 */
public record Ec2Error(String code, String message, int status) {
  public Ec2Error {
    if (status < 400 || status > 599) {
      throw new IllegalArgumentException("status is " + status + "; expected 400 to 599");
    }
  }

  /** A client error with EC2's usual status, 400. */
  public static Ec2Error of(String code, String message) {
    return new Ec2Error(code, message, 400);
  }

  @Override
  public String toString() {
    return code + ": " + message;
  }
}
