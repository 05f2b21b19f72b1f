package io.tidemark.nodecidr.controller;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.run.ControllerParts;
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
  private final ControllerParts parts;
  private final Runnable onSynced;
  private final Set<String> refused = new HashSet<>();

  /** {@code onSynced} runs when every node was shown. */
  NodeFeed(ControllerState state, ControllerParts parts, Runnable onSynced) {
    this.state = state;
    this.parts = parts;
    this.onSynced = onSynced;
  }

  @Override
  public void upserted(ClusterNode node) {
    boolean news = readable(node.name());
    boolean same =
        state.reconciler.find(node.name()).filter(known -> known.isNoNews(node)).isPresent();
    if (state.reconciler.isActive() && (news || !same)) {
      state.reconciler.step(node.name());
    }
  }

  @Override
  public void deleted(String name) {
    readable(name);
    if (state.reconciler.isActive()) {
      state.reconciler.step(name);
    }
  }

  @Override
  public void refused(String name, List<ResourceProblem> problems) {
    refused.add(name);
    if (parts.nodes().latest(name).isEmpty()) {
      state.pause.unread(name);
    }
    String detail = problems.stream().map(Object::toString).collect(Collectors.joining("; "));
    parts.events().report(name, NodeCidrError.CIDR_UNREADABLE, detail);
  }

  private boolean readable(String name) {
    if (!refused.remove(name)) {
      return false;
    }
    parts.events().cleared(name, NodeCidrError.CIDR_UNREADABLE);
    state.read(name);
    return true;
  }

  @Override
  public void synced() {
    onSynced.run();
  }
}
