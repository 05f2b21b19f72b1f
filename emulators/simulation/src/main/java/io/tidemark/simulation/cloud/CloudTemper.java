package io.tidemark.simulation.cloud;

import java.time.Duration;

/** The current faults of a simulated cloud; called once per request. */
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
