package io.tidemark.nodecidr.controller;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.resource.ResourceProblem;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The events of the store, on its thread: goes to the lanes of the nodes. */
final class NodeFeed implements ObjectWatcher<ClusterNode> {
  private final ControllerState state;
  private final Runnable onSynced;
  private final Set<String> refused = new HashSet<>();

  /** {@code onSynced} runs when every node was shown. */
  NodeFeed(ControllerState state, Runnable onSynced) {
    this.state = state;
    this.onSynced = onSynced;
  }

  @Override
  public void upserted(ClusterNode node) {
    boolean news = readable(node.name());
    NodeWork known = state.find(node.name());
    if (state.isActive() && (news || known == null || !known.isNoNews(node))) {
      state.post(node.name(), NodeWork::step);
    }
  }

  @Override
  public void deleted(String name) {
    boolean unusedNews = readable(name);
    if (state.isActive()) {
      state.post(name, NodeWork::step);
    }
  }

  @Override
  public void refused(String name, List<ResourceProblem> problems) {
    refused.add(name);
    if (state.parts().store().latest(name).isEmpty()) {
      state.unread(name);
    }
    String detail = problems.stream().map(Object::toString).collect(Collectors.joining("; "));
    state.parts().events().report(name, NodeCidrError.CIDR_UNREADABLE, detail);
  }

  private boolean readable(String name) {
    if (!refused.remove(name)) {
      return false;
    }
    state.parts().events().cleared(name, NodeCidrError.CIDR_UNREADABLE);
    state.read(name);
    return true;
  }

  @Override
  public void synced() {
    onSynced.run();
  }
}
