package io.tidemark.spi;

import io.tidemark.resilience.CallContext;
import io.tidemark.resource.NodeResource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Looks at what a provider needs before it can do its work: permissions, endpoints, clocks, quotas.
 * Changes nothing, in the cloud or elsewhere; its requests are reads to the door they pass. Used
 * once, by {@code doctor}.
 */
public interface Checkup extends AutoCloseable {
  /** Of a provider that has nothing to look at. */
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
   * Checks everything, on the resources that the nodes name. What cannot be decided is a finding
   * too, and so is a check that did not end in time ({@link Finding.Verdict#UNFINISHED}); the stage
   * never ends exceptionally, and by the context's deadline.
   *
   * @return in the order to be shown; empty when there is nothing to look at
   */
  CompletionStage<List<Finding>> run(List<NodeResource> nodes, CallContext context);

  /** Lets go of what it opened; idempotent. */
  @Override
  void close();
}
