package io.tidemark.cluster;

import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts waiting pods from the events of a watch (node-manager 2.4, F-19): phase Pending, except
 * pods on the host's network, which need no pod address. Pass every pod event to it; repeated
 * events change nothing. Thread-safe; events of one pod must come in order.
 */
public final class PendingPodIndex implements PendingPods {
  private final Map<String, String> nodeByPod = new ConcurrentHashMap<>();
  private final Map<String, Integer> waitingByNode = new ConcurrentHashMap<>();

  /**
   * A pod is new or changed.
   *
   * @param uid {@code metadata.uid}
   * @param node {@code spec.nodeName}; empty text while it has none
   * @param pending whether {@code status.phase} is {@code Pending}
   * @param hostNetwork {@code spec.hostNetwork}
   */
  public void put(String uid, String node, boolean pending, boolean hostNetwork) {
    if (!pending || hostNetwork || node.isEmpty()) {
      remove(uid);
      return;
    }
    String before = nodeByPod.put(uid, node);
    if (before == null || !before.equals(node)) {
      waitingByNode.merge(node, 1, Integer::sum);
      forget(before == null ? "" : before);
    }
  }

  /** A pod is gone; unknown pods are ignored. */
  public void remove(String uid) {
    String before = nodeByPod.remove(uid);
    forget(before == null ? "" : before);
  }

  private void forget(String node) {
    waitingByNode.computeIfPresent(node, (same, waiting) -> waiting == 1 ? null : waiting - 1);
  }

  @Override
  public OptionalInt onNode(String node) {
    return OptionalInt.of(waitingByNode.getOrDefault(node, 0));
  }
}
