package io.tidemark.nodecidr.ledger;

import io.tidemark.nodecidr.ledger.CidrLayers.Layer;
import io.tidemark.time.CoolingQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Absent nodes whose claims cool, in the order in which their cooldowns end. A node that was due
 * cools on until its absence is confirmed. Mutable; {@link CidrLedger} owns it.
 */
final class CoolingNodes {
  private final long cooldownNanos;
  private final CidrLayers layers;
  private final CoolingQueue<NodeAccount> queue = new CoolingQueue<>();

  CoolingNodes(long cooldownNanos, CidrLayers layers) {
    this.cooldownNanos = cooldownNanos;
    this.layers = layers;
  }

  /** The claims of a node cool from now on. */
  void add(NodeAccount account, long now) {
    account.move(Layer.CLAIMED, Layer.COOLING, layers);
    queue.add(account, now);
    account.queued = true;
  }

  /** The claims of a node are as before. */
  void takeBack(NodeAccount account) {
    if (account.queued) {
      queue.remove(account);
      account.queued = false;
    }
    account.move(Layer.COOLING, Layer.CLAIMED, layers);
  }

  /** The nodes whose cooldown has ended, each once. */
  List<NodeOwner> due(long now) {
    List<NodeOwner> due = new ArrayList<>();
    while (!queue.isEmpty() && now - queue.headNanos() >= cooldownNanos) {
      NodeAccount account = queue.poll();
      account.queued = false;
      due.add(account.owner);
    }
    return due;
  }

  /** When the next cooldown ends; empty when none is under way. */
  OptionalLong nextDueNanos() {
    return queue.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(queue.headNanos() + cooldownNanos);
  }
}
