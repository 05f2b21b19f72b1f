package io.tidemark.demand;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The pods of one node that its agent has not reported: those that wait for an address, and those
 * that have got one since its last report. Together with the reported ones they are the use of the
 * node, in which each pod arrives once. Confined to the thread that decides about the node.
 */
public final class UnreportedPods {
  /** Further pods are not followed; a kubelet takes 110 by default. */
  private static final int PODS_MAX = 256;

  /** A pod that no longer waits is gone if the agent has not reported it by then. */
  private static final long REPORTED_NANOS = LeadTimes.AGENT_WRITES.multipliedBy(2).toNanos();

  /** In the order of their arrival. */
  private Map<String, Pod> pods = Map.of();

  /** One pod, which has waited until now or until it got its address. */
  private static final class Pod {
    final long sinceNanos;
    long untilNanos;
    boolean waits = true;

    /** For a moment of its wait the pods before it needed every free address. */
    boolean lacked;

    Pod(long sinceNanos) {
      this.sinceNanos = sinceNanos;
    }
  }

  /** Whether there are none. */
  public boolean isEmpty() {
    return pods.isEmpty();
  }

  /** Pods that wait, or have an address that is not reported yet. */
  public int count() {
    return pods.size();
  }

  /**
   * Takes in the pods of this moment.
   *
   * @param unaddressed names of pods that show no address
   * @param reported names of pods that have one by the agent's last report
   * @param free addresses that no pod has by that report
   * @param waited receives the wait of each pod that has got its address by now and lacked one;
   *     nothing of a pod that is gone
   */
  public void observe(
      Set<String> unaddressed,
      Set<String> reported,
      int free,
      long nowNanos,
      Consumer<Duration> waited) {
    if (pods.isEmpty()) {
      pods = new LinkedHashMap<>();
    }
    for (String name : unaddressed) {
      if (pods.size() < PODS_MAX) {
        pods.putIfAbsent(name, new Pod(nowNanos));
      }
    }
    int left = free;
    for (Iterator<Map.Entry<String, Pod>> each = pods.entrySet().iterator(); each.hasNext(); ) {
      Map.Entry<String, Pod> entry = each.next();
      Pod pod = entry.getValue();
      boolean waits = unaddressed.contains(entry.getKey());
      if (pod.waits) {
        pod.untilNanos = nowNanos;
      }
      if (reported.contains(entry.getKey())) {
        if (pod.lacked) {
          waited.accept(Duration.ofNanos(pod.untilNanos - pod.sinceNanos));
        }
        each.remove();
      } else if (!waits && nowNanos - pod.untilNanos > REPORTED_NANOS) {
        each.remove();
      } else {
        left--;
        pod.waits = waits;
        pod.lacked |= waits && left < 0;
      }
    }
    if (pods.isEmpty()) {
      pods = Map.of();
    }
  }
}
