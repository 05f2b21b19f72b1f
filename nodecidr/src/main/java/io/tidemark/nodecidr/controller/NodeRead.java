package io.tidemark.nodecidr.controller;

import io.tidemark.cluster.ClusterNodeStore.Reading;
import io.tidemark.time.EffectSite;
import java.util.function.BiPredicate;

/**
 * Reads the node of a name from the backend, again and again until the answer is of use. Confined
 * to the lane of the name.
 */
final class NodeRead {
  private final String name;
  private final ControllerState state;
  private final RequestRetry retry;
  private final BiPredicate<Reading, NodeWork> use;

  /** {@code use} takes an answer, on the lane, and says whether that was the last one. */
  NodeRead(String name, ControllerState state, BiPredicate<Reading, NodeWork> use) {
    this.name = name;
    this.state = state;
    this.retry = new RequestRetry(name, state);
    this.use = use;
  }

  void begin() {
    state.begun();
    retry.begin(this::read);
  }

  private void read() {
    Object unused =
        state
            .parts()
            .effects()
            .run(
                new EffectSite("get node", name),
                state.settings().requestTimeout(),
                () -> state.parts().store().get(name))
            .stage()
            .exceptionally(thrown -> new Reading.Failed(String.valueOf(thrown)))
            .thenAccept(reading -> state.post(name, work -> ended(reading, work)));
  }

  private void ended(Reading reading, NodeWork work) {
    if (use.test(reading, work)) {
      state.ended();
    } else {
      retry.again(this::read);
    }
    state.slots().release();
  }
}
