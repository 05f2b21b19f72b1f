package io.tidemark.time;

import java.time.Duration;

/** Receives what triggers do (node-manager 3.1 NM-T1, NM-T5). Thread-safe, never blocks. */
public interface TriggerObserver {
  /** Ignores everything. */
  TriggerObserver NONE =
      new TriggerObserver() {
        @Override
        public void queued() {}

        @Override
        public void ran(Duration duration, Duration latency, int folds) {}
      };

  /** A run was requested. */
  void queued();

  /**
   * A run ended.
   *
   * @param duration of the run
   * @param latency from the first folded request to the start of the run
   * @param folds requests that this run answered
   */
  void ran(Duration duration, Duration latency, int folds);
}
