package io.tidemark.config;

/**
 * A hard limit over all requests to the cloud.
 *
 * @param callsPerSecond steady rate, above 0
 * @param burst requests that may go out at once, 1 or more
 */
public record CallCeiling(double callsPerSecond, int burst) {
  public CallCeiling {
    if (!(callsPerSecond > 0) || burst < 1) {
      throw new IllegalArgumentException(
          "ceiling is " + callsPerSecond + "/s, burst " + burst + "; expected above 0, 1 or more");
    }
  }
}
