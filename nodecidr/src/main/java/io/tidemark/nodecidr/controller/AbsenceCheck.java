package io.tidemark.nodecidr.controller;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNodeStore.Reading;
import io.tidemark.nodecidr.ledger.NodeOwner;

/**
 * Reads the node of a name from the backend, since an incarnation of it was absent for the
 * cooldown: only when it is gone there too, its blocks are free. Confined to the lane of the name.
 */
final class AbsenceCheck {
  private final NodeOwner owner;
  private final ControllerState state;

  AbsenceCheck(NodeOwner owner, ControllerState state) {
    this.owner = owner;
    this.state = state;
  }

  void begin() {
    new NodeRead(owner.name(), state, this::ended).begin();
  }

  private boolean ended(Reading reading, NodeWork work) {
    boolean found = reading instanceof Reading.Found it && isOurs(it.node());
    if (reading instanceof Reading.Failed || (found && !isShown())) {
      return false; // found, but deleted since: the next read says so
    }
    if (found) {
      state.ledger().confirmPresent(owner);
      work.step();
    } else {
      state.ledger().confirmAbsent(owner);
      state.wake();
    }
    return true;
  }

  private boolean isShown() {
    return state.parts().store().latest(owner.name()).filter(this::isOurs).isPresent();
  }

  private boolean isOurs(ClusterNode node) {
    return node.owner().equals(owner.uid());
  }
}
