package io.tidemark.node;

import io.tidemark.resilience.Cancellation;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.NodeOperations;
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
    Cancellation cancellation) {}
