package io.tidemark.nodecidr.controller;

import io.tidemark.time.Backoff;
import io.tidemark.time.BackoffPolicy;
import io.tidemark.time.BackoffState;
import io.tidemark.time.RequestSlots;
import java.time.Duration;
import java.util.function.Consumer;

/** Sends one request again and again, after pauses that grow. Confined to the lane of its node. */
final class RequestRetry {
  private final String node;
  private final ControllerState state;
  private BackoffState backoff = BackoffState.NONE;

  RequestRetry(String node, ControllerState state) {
    this.node = node;
    this.state = state;
  }

  /** How often in a row it had no result. */
  int failures() {
    return backoff.failures();
  }

  /** Begins when there is room for a request; {@link RequestSlots#release} must follow. */
  void begin(Runnable request) {
    state.slots().request(() -> state.post(node, work -> request.run()));
  }

  /** Begins again after the pause that is due. */
  void again(Runnable request) {
    backoff = backoff.failed(BackoffPolicy.REQUEST, state.parts().now());
    Duration pause =
        Backoff.pause(BackoffPolicy.REQUEST, backoff.failures(), state.parts().random());
    after(pause, work -> begin(request));
  }

  /** Runs a task on the lane of the node, later. */
  void after(Duration pause, Consumer<NodeWork> task) {
    Object unused = state.parts().scheduler().after(pause, () -> state.post(node, task));
  }
}
