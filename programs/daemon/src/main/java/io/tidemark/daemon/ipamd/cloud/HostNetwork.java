package io.tidemark.daemon.ipamd.cloud;

import io.tidemark.datastore.cloud.CloudEni;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The host's setup for traffic of pods by an interface: its link, its routing table, source
 * translation (eni-datastore AM21). Never blocks, and no stage ends exceptionally. Called by one
 * caller at a time.
 */
public interface HostNetwork {
  /** Sets nothing up: pods can use the primary interface alone. */
  HostNetwork PRIMARY_ONLY =
      new HostNetwork() {
        @Override
        public CompletionStage<Boolean> came(CloudEni eni) {
          return CompletableFuture.completedStage(eni.spec().primary());
        }

        @Override
        public boolean setsUp() {
          return false;
        }

        @Override
        public void whenReady(Runnable listener) {}

        @Override
        public void went(CloudEni eni) {}
      };

  /** Whether an interface that pods cannot use becomes one that they can, sooner or later. */
  boolean setsUp();

  /**
   * Calls {@code listener} whenever pods can use an interface for which {@link #came} ended with
   * the contrary. One listener at a time; it must not block.
   */
  void whenReady(Runnable listener);

  /**
   * An interface is attached. Called again and again; only the first call for an interface has it
   * set up.
   *
   * @return whether pods can use it now; ends after the first attempt to set it up at the latest,
   *     further ones follow
   */
  CompletionStage<Boolean> came(CloudEni eni);

  /** An interface that had come is not attached any more. */
  void went(CloudEni eni);
}
