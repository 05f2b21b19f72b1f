package io.tidemark.demand;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The pods of one node that its agent has not reported, of which some wait because no address is
 * free. Confined to the thread that decides about the node.
 */
public final class UnreportedPods {
  /** Further pods are not followed; a kubelet takes 110 by default. */
  private static final int PODS_MAX = 256;

  private static final long WRITES_NANOS = LeadTimes.AGENT_WRITES.toNanos();

  /** In the order in which they were first seen. */
  private Map<String, Pod> pods = Map.of();

  private int lacking;

  /** One pod, which has waited until now or until it got its address. */
  private static final class Pod {
    final long sinceNanos;

    /** Addresses of the node when it came, if the pods before it needed all that were free. */
    final int size;

    long untilNanos;
    boolean waits = true;
    boolean lacks;

    Pod(long sinceNanos, int size) {
      this.sinceNanos = sinceNanos;
      this.size = size;
    }
  }

  /** Whether there are none. */
  public boolean isEmpty() {
    return pods.isEmpty();
  }

  /**
   * Pods that found no free address after the agent had time to report all that ended before; each
   * counts until it is reported, so that it arrives once.
   */
  public int lacking() {
    return lacking;
  }

  /**
   * Takes in the pods of this moment.
   *
   * @param unaddressed names of pods that show no address
   * @param reported names of pods that have one by the agent's last report
   * @param size addresses of the node
   * @param used those that pods have by that report
   * @param waited receives the wait of each pod that has got its address by now and lacked one;
   *     nothing of a pod that is gone
   */
  public void observe(
      Set<String> unaddressed,
      Set<String> reported,
      int size,
      int used,
      long nowNanos,
      Consumer<Duration> waited) {
    if (pods.isEmpty()) {
      pods = new LinkedHashMap<>();
    }
    pods.entrySet().removeIf(each -> !reported.contains(each.getKey()) && isGone(each, nowNanos));
    for (String name : unaddressed) {
      Pod known = pods.get(name);
      if (known != null && !known.waits) { // another pod of that name
        pods.remove(name);
      }
      if (pods.size() < PODS_MAX && !reported.contains(name)) {
        int before = pods.size();
        pods.computeIfAbsent(
            name, any -> new Pod(nowNanos, before < size - used ? Integer.MAX_VALUE : size));
      }
    }
    int left = size - used;
    lacking = 0;
    for (Iterator<Map.Entry<String, Pod>> each = pods.entrySet().iterator(); each.hasNext(); ) {
      Map.Entry<String, Pod> entry = each.next();
      Pod pod = entry.getValue();
      boolean waits = unaddressed.contains(entry.getKey());
      if (pod.waits) {
        pod.untilNanos = nowNanos;
      }
      if (reported.contains(entry.getKey())) {
        if (pod.lacks || used > pod.size) {
          waited.accept(Duration.ofNanos(pod.untilNanos - pod.sinceNanos));
        }
        each.remove();
      } else {
        left--;
        pod.waits = waits;
        pod.lacks |= waits && left < 0 && nowNanos - pod.sinceNanos >= WRITES_NANOS;
        lacking += pod.lacks ? 1 : 0;
      }
    }
    if (pods.isEmpty()) {
      pods = Map.of();
    }
  }

  private static boolean isGone(Map.Entry<String, Pod> each, long nowNanos) {
    return !each.getValue().waits && nowNanos - each.getValue().untilNanos > 2 * WRITES_NANOS;
  }
}
