package io.tidemark.nodecidr.ledger;

import io.tidemark.nodecidr.ledger.CidrLayers.Layer;
import io.tidemark.time.CoolingQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Absent nodes whose claims cool, in the order in which their cooldowns end. A node that was due
 * cools on until its absence is confirmed. Mutable; {@link CidrLedger} owns it.
 */
final class CoolingNodes {
  private final long cooldownNanos;
  private final CidrLayers layers;
  private final CoolingQueue<NodeAccount> queue = new CoolingQueue<>();

  /** The one that began to cool last, of each name; until its absence is confirmed. */
  private final Map<String, NodeAccount> named = new HashMap<>();

  CoolingNodes(long cooldownNanos, CidrLayers layers) {
    this.cooldownNanos = cooldownNanos;
    this.layers = layers;
  }

  /** The claims of a node cool from now on. */
  void add(NodeAccount account, long now) {
    account.move(Layer.CLAIMED, Layer.COOLING, layers);
    queue.add(account, now);
    account.since = now;
    account.queued = true;
    named.put(account.owner.name(), account);
  }

  /** The incarnation of that name that cools; null when none does. */
  @Nullable NodeAccount named(String name) {
    return named.get(name);
  }

  /** The claims of a node have ended. */
  void forget(NodeAccount account) {
    named.remove(account.owner.name(), account);
  }

  /** How long the cooldown of a node lasts still. */
  Duration left(NodeAccount account, long now) {
    return Duration.ofNanos(account.since + cooldownNanos - now);
  }

  /** When a cooldown began that lasts so long still. */
  long began(Duration left, long now) {
    return now + Math.min(left.toNanos(), cooldownNanos) - cooldownNanos;
  }

  /** The claims of a node are as before. */
  void takeBack(NodeAccount account) {
    if (account.queued) {
      queue.remove(account);
      account.queued = false;
    }
    account.move(Layer.COOLING, Layer.CLAIMED, layers);
    forget(account);
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
