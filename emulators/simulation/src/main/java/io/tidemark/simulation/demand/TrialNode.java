package io.tidemark.simulation.demand;

import io.tidemark.demand.GroupDemand;
import io.tidemark.demand.NodeDemand;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** A node's pool: its addresses, the pods that have one, and those that wait. */
final class TrialNode {
  private final WorkloadGroup group;
  private final NodeDemand demand;

  /** When each pod that waits has arrived. */
  private final Deque<Long> waiting = new ArrayDeque<>();

  private int interfaces = 1;
  private int addresses;
  private int used;

  /** The used addresses as the agent's last report has them. */
  private int reported;

  /** The instant of the last report. */
  long reportedNanos;

  /** A report is due. */
  boolean reports;

  /** A request is under way or waits for a token. */
  boolean busy;

  /** Since when there is a surplus; negative while there is none. */
  long surplusSinceNanos = -1;

  /** Up to when the idle addresses are counted. */
  long countedNanos;

  boolean gone;

  TrialNode(WorkloadGroup group, GroupDemand groupDemand, long nowNanos) {
    this.group = group;
    this.demand = new NodeDemand(groupDemand, 0, Duration.ZERO, nowNanos);
    this.reportedNanos = nowNanos;
    this.countedNanos = nowNanos;
  }

  WorkloadGroup group() {
    return group;
  }

  NodeDemand demand() {
    return demand;
  }

  /** Addresses that fit on the interfaces that the node has. */
  int room() {
    return interfaces * group.podAddressesPerInterface() - addresses;
  }

  /** Addresses that fit on the node. */
  int roomToCeiling() {
    return group.ceiling() - addresses;
  }

  int addresses() {
    return addresses;
  }

  int idle() {
    return addresses - used;
  }

  /** Addresses that pods have, by the agent's last report. */
  int reported() {
    return reported;
  }

  /** Free addresses by the agent's last report. */
  int free() {
    return addresses - reported;
  }

  int waiting() {
    return waiting.size();
  }

  /**
   * A pod arrives.
   *
   * @return whether it found an address
   */
  boolean arrives(long nowNanos) {
    if (addresses > used) {
      used++;
      return true;
    }
    waiting.add(nowNanos);
    return false;
  }

  /** A pod ends; one that still waits if no other is there. */
  void ends() {
    if (used > 0) {
      used--;
    } else {
      waiting.poll();
    }
  }

  /** The pods that get an address now, one after the other: when each arrived. */
  Deque<Long> serve() {
    Deque<Long> served = new ArrayDeque<>();
    while (!waiting.isEmpty() && addresses > used) {
      served.add(waiting.remove());
      used++;
    }
    return served;
  }

  void report(long nowNanos) {
    reported = used;
    reportedNanos = nowNanos;
    reports = false;
  }

  void add(int more, boolean onNewInterface) {
    addresses += more;
    interfaces += onNewInterface ? 1 : 0;
  }

  void release(int fewer) {
    addresses -= fewer;
  }
}
