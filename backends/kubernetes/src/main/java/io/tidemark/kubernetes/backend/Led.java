package io.tidemark.kubernetes.backend;

import io.tidemark.resilience.Fence;
import io.tidemark.resource.CatchUp;
import io.tidemark.time.EffectRunner;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The objects that a leader changes. Thread-safe. */
interface Led {
  /** The lease was won at a time: nothing is changed any more while it is not held. */
  void leads(Fence lease, Optional<Instant> since);

  /**
   * Begins to read the objects while another process holds the lease, or to only read. Who leads
   * reads them from {@link #catchUp} on, or when the work begins. Idempotent.
   */
  void standBy();

  /**
   * Reads all objects as they are after the call, before the work begins. By default nothing is
   * read: who works on the objects lists them at its start.
   */
  default CompletionStage<CatchUp> catchUp(EffectRunner effects) {
    return CompletableFuture.completedStage(new CatchUp.Done());
  }

  boolean hasListed();

  /** Why they cannot be listed or watched now; empty while they can. */
  Optional<String> trouble();
}
