package io.tidemark.node;

import io.tidemark.resilience.Cancellation;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.NodeOperations;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * What the parts of one node share.
 *
 * @param operations the provider's side of the node
 * @param lane runs its turns, one after the other
 * @param cancellation cancelled when the node is gone
 */
record NodeParts(
    String name,
    InstanceId instanceId,
    NodeEnvironment environment,
    NodeOperations operations,
    Executor lane,
    Cancellation cancellation) {
  /** Whether an object is of this instance: a name may come back with another one (F-12). */
  boolean owns(NodeResource resource) {
    return environment.ports().provider().instanceId(resource).equals(Optional.of(instanceId));
  }
}
