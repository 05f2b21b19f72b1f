package io.tidemark.config;

import java.util.Optional;

/**
 * A hard limit over all requests to the cloud.
 *
 * @param callsPerSecond steady rate, above 0
 * @param burst requests that may go out at once, 1 or more
 */
public record CallCeiling(double callsPerSecond, int burst) {
  /** The reference's limiter (N8). */
  static final Optional<CallCeiling> REFERENCE = Optional.of(new CallCeiling(4, 20));

  public CallCeiling {
    if (!(callsPerSecond > 0) || burst < 1) {
      throw new IllegalArgumentException(
          "ceiling is " + callsPerSecond + "/s, burst " + burst + "; expected above 0, 1 or more");
    }
  }

  static Optional<CallCeiling> read(ConfigReader reader) {
    String qpsKey = CoreKey.LIMIT_IPAM_API_QPS.key();
    String burstKey = CoreKey.LIMIT_IPAM_API_BURST.key();
    double rate = CoreKey.LIMIT_IPAM_API_QPS.read(reader);
    double qps = rate > 0 ? rate : 1; // not given, or not accepted
    int atOnce = CoreKey.LIMIT_IPAM_API_BURST.read(reader);
    int burst = atOnce > 0 ? atOnce : (int) Math.ceil(qps);
    if (reader.isGiven(qpsKey)) {
      return Optional.of(new CallCeiling(qps, burst));
    }
    if (reader.isGiven(burstKey)) {
      reader
          .problems()
          .contradiction(
              reader.source(), burstKey, qpsKey, "a burst without a rate is no limit; set both");
    }
    return Optional.empty();
  }
}
