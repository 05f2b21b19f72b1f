package io.tidemark.simulation.cloud;

import java.time.Duration;

/** The faults of a simulated cloud at this moment; asked once per request. */
public interface CloudTemper {
  /** No faults. */
  CloudTemper CALM =
      new CloudTemper() {
        @Override
        public boolean refuses(String operation) {
          return false;
        }

        @Override
        public Duration readLag() {
          return Duration.ZERO;
        }
      };

  /** Whether this request is answered with an internal error, without any effect. */
  boolean refuses(String operation);

  /** How old the state is that this read shows. */
  Duration readLag();
}
