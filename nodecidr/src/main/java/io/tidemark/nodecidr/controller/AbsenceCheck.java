package io.tidemark.nodecidr.controller;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNodeStore.Reading;
import io.tidemark.nodecidr.ledger.NodeOwner;
import io.tidemark.time.EffectSite;

/**
 * Reads the node of a name from the backend, since an incarnation of it was absent for the
 * cooldown: only when it is gone there too, its blocks are free. Confined to the lane of the name.
 */
final class AbsenceCheck {
  private final NodeOwner owner;
  private final ControllerState state;
  private final RequestRetry retry;

  AbsenceCheck(NodeOwner owner, ControllerState state) {
    this.owner = owner;
    this.state = state;
    this.retry = new RequestRetry(owner.name(), state);
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
                new EffectSite("get node", owner.name()),
                state.settings().requestTimeout(),
                () -> state.parts().store().get(owner.name()))
            .stage()
            .exceptionally(thrown -> new Reading.Failed(String.valueOf(thrown)))
            .thenAccept(reading -> state.post(owner.name(), work -> ended(reading, work)));
  }

  private void ended(Reading reading, NodeWork work) {
    boolean found = reading instanceof Reading.Found it && isOurs(it.node());
    if (reading instanceof Reading.Failed || (found && !isShown())) {
      // Found, but deleted since: the next read says so.
      retry.again(this::read);
    } else {
      state.ended();
      if (found) {
        state.ledger().confirmPresent(owner);
        work.step();
      } else {
        state.ledger().confirmAbsent(owner);
        state.wake();
      }
    }
    state.slots().release();
  }

  private boolean isShown() {
    return state.parts().store().latest(owner.name()).filter(this::isOurs).isPresent();
  }

  private boolean isOurs(ClusterNode node) {
    return node.owner().equals(owner.uid());
  }
}
