package io.tidemark.node;

import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.StoreResult;
import io.tidemark.time.EffectSite;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The requests of one node to the store: each runs as an effect and is bounded. Any thread. */
record StoreRequests(String name, NodeEnvironment environment) {
  /** Reads the object anew, whatever the watch has shown. */
  CompletionStage<StoreResult> read() {
    return send("get", store -> store.get(name));
  }

  /** A request whose exceptional end (timeout, lost answer) is a failure with unknown effect. */
  CompletionStage<StoreResult> send(
      String operation, Function<NodeResourceStore, StoreResult> request) {
    NodeResourceStore store = environment.ports().store();
    Callable<StoreResult> leaf = () -> request.apply(store);
    return environment
        .ports()
        .storeEffects()
        .run(new EffectSite(operation, name), environment.config().engine().storeTimeout(), leaf)
        .stage()
        .handle(
            (result, thrown) ->
                thrown == null ? result : new StoreResult.Failed(String.valueOf(thrown)));
  }
}
