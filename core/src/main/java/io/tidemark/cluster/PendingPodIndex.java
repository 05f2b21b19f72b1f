package io.tidemark.cluster;

import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts waiting pods from the events of a watch (node-manager 2.4, F-19): phase Pending, except
 * pods on the host's network, which need no pod address. Pass every pod event to it; repeated
 * events change nothing. Thread-safe; events of one pod must come in order.
 */
public final class PendingPodIndex implements PendingPods {
  private final Map<String, Waiting> pods = new ConcurrentHashMap<>();
  private final Map<String, Integer> waitingByNode = new ConcurrentHashMap<>();
  private final Map<String, Set<String>> unaddressedByNode = new ConcurrentHashMap<>();

  /** A waiting pod; its name is empty once it has an address. */
  private record Waiting(String node, String unaddressed) {}

  /**
   * A pod is new or changed.
   *
   * @param uid {@code metadata.uid}
   * @param node {@code spec.nodeName}; empty text while it has none
   * @param pending whether {@code status.phase} is {@code Pending}
   * @param hostNetwork {@code spec.hostNetwork}
   * @param unaddressed {@code namespace/name} while {@code status.podIP} is empty, else empty text
   */
  public void put(
      String uid, String node, boolean pending, boolean hostNetwork, String unaddressed) {
    if (!pending || hostNetwork || node.isEmpty()) {
      remove(uid);
      return;
    }
    Waiting now = new Waiting(node, unaddressed);
    Waiting before = pods.put(uid, now);
    if (now.equals(before)) {
      return;
    }
    if (!unaddressed.isEmpty()) {
      unaddressedByNode.compute(
          node,
          (same, names) -> {
            Set<String> all = names == null ? ConcurrentHashMap.newKeySet() : names;
            all.add(unaddressed);
            return all;
          });
    }
    waitingByNode.merge(node, 1, Integer::sum);
    if (before != null) {
      forget(before);
    }
  }

  /** A pod is gone; unknown pods are ignored. */
  public void remove(String uid) {
    Waiting before = pods.remove(uid);
    if (before != null) {
      forget(before);
    }
  }

  private void forget(Waiting pod) {
    waitingByNode.computeIfPresent(
        pod.node(), (same, waiting) -> waiting == 1 ? null : waiting - 1);
    unaddressedByNode.computeIfPresent(
        pod.node(),
        (same, names) -> {
          names.remove(pod.unaddressed());
          return names.isEmpty() ? null : names;
        });
  }

  @Override
  public OptionalInt onNode(String node) {
    return OptionalInt.of(waitingByNode.getOrDefault(node, 0));
  }

  @Override
  public Set<String> unaddressed(String node) {
    return Set.copyOf(unaddressedByNode.getOrDefault(node, Set.of()));
  }
}
