package io.tidemark.spi;

import io.tidemark.resilience.CallContext;
import io.tidemark.resource.NodeResource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Checks what a provider needs to work: permissions, endpoints, clocks, quotas. Changes nothing in
 * the cloud or elsewhere; it sends reads only. Used once, by {@code doctor}.
 */
public interface Checkup extends AutoCloseable {
  /** The checkup of a provider without checks. */
  Checkup NOTHING =
      new Checkup() {
        @Override
        public CompletionStage<List<Finding>> run(List<NodeResource> nodes, CallContext context) {
          return CompletableFuture.completedStage(List.of());
        }

        @Override
        public void close() {
          // nothing is open
        }
      };

  /**
   * Runs all checks on the resources that the nodes name. An undecided check is a finding too, and
   * so is one that did not end in time ({@link Finding.Verdict#UNFINISHED}); the stage never
   * completes exceptionally, and completes by the context's deadline.
   *
   * @return in display order; empty when there are no checks
   */
  CompletionStage<List<Finding>> run(List<NodeResource> nodes, CallContext context);

  /** Closes what it opened; idempotent. */
  @Override
  void close();
}
