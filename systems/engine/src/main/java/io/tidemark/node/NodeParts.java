package io.tidemark.node;

import io.tidemark.resilience.Cancellation;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.StoreResult;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.NodeOperations;
import io.tidemark.time.EffectSite;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * The parts that the components of one node share.
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

  /** The newest version of the object that is known; empty when it is gone. */
  Optional<NodeResource> latest() {
    return environment.ports().store().latest(name);
  }

  /** Reads the object anew, whatever the watch has shown; ends on any thread. */
  CompletionStage<StoreResult> read() {
    return request("get", store -> store.get(name));
  }

  /**
   * A bounded request to the store. An exceptional end (timeout, lost answer) is a failure with
   * unknown effect. Ends on any thread.
   */
  CompletionStage<StoreResult> request(
      String operation, Function<NodeResourceStore, StoreResult> request) {
    NodeManagerPorts ports = environment.ports();
    Callable<StoreResult> leaf = () -> request.apply(ports.store());
    return ports
        .storeEffects()
        .run(
            new EffectSite(operation, name),
            environment.config().maintenance().storeTimeout(),
            leaf)
        .stage()
        .handle(
            (result, thrown) ->
                thrown == null ? result : new StoreResult.Failed(String.valueOf(thrown)));
  }
}
