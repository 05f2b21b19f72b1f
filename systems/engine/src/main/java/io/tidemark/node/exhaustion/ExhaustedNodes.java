package io.tidemark.node.exhaustion;

import io.tidemark.cluster.NodeProblem;
import io.tidemark.cluster.TaintedNodes;
import io.tidemark.node.exhaustion.TaintState.Moment;
import io.tidemark.spi.Blocked;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Taints the nodes of one cluster that have no address for a pod and cannot get one, and removes
 * the taints when they have some again. Thread-safe; the lock covers the counts of the groups
 * alone.
 */
public final class ExhaustedNodes {
  private static final Logger LOG = LoggerFactory.getLogger(ExhaustedNodes.class);

  private final TaintedNodes taints;
  private final IntConsumer gauge;
  private final Object lock = new Object();
  private final Map<String, GroupShare> groups = new HashMap<>();
  private final AtomicBoolean saidUntrusted = new AtomicBoolean();
  private int tainted;
  private volatile long scans;
  private volatile long freshUntilNanos;

  /**
   * Taints nothing yet.
   *
   * @param gauge takes the number of tainted nodes when it changes
   */
  public ExhaustedNodes(TaintedNodes taints, IntConsumer gauge) {
    this.taints = taints;
    this.gauge = gauge;
    taints.delay().ifPresent(any -> gauge.accept(0));
  }

  /**
   * A full scan of the cloud succeeded. Taints are removed of nodes that nobody here decides about.
   *
   * @param freshUntilNanos how long what it read is trusted
   * @param isManaged whether a node of that name is decided about
   */
  public void scanned(long freshUntilNanos, Predicate<String> isManaged) {
    this.freshUntilNanos = freshUntilNanos;
    synchronized (lock) {
      scans++;
    }
    saidUntrusted.set(false);
    boolean ours = taints.delay().isPresent();
    for (String name : taints.tainted()) {
      if (!ours || !isManaged.test(name)) {
        taints.available(name);
      }
    }
  }

  /** The node is gone: an object of its name that stays takes pods again. */
  public void gone(String name) {
    if (taints.delay().isPresent()) {
      taints.available(name);
    }
  }

  /** A node that is decided about; empty where nodes are not tainted. */
  public Optional<Member> member(String name, String group) {
    return taints.delay().map(delay -> new Member(name, group, delay));
  }

  private GroupShare count(String group, int nodes, int more) {
    synchronized (lock) {
      GroupShare share = groups.getOrDefault(group, GroupShare.NONE).plus(nodes, more);
      if (share.nodes() == 0) {
        groups.remove(group);
      } else {
        groups.put(group, share);
      }
      tainted += more;
      if (more != 0) {
        gauge.accept(tainted);
      }
      return share;
    }
  }

  /** One node; confined to its lane. */
  public final class Member {
    private final String name;
    private final String group;
    private final Duration delay;
    private TaintState state = TaintState.Served.SERVED;
    private boolean left;

    private Member(String name, String group, Duration delay) {
      this.name = name;
      this.group = group;
      this.delay = delay;
      count(group, 1, 0);
    }

    /**
     * Decides by what the node has now.
     *
     * @param now monotonic, in nanoseconds
     * @param ready whether the cloud's API answers
     * @return when to decide again even if nothing changes; may have passed
     */
    public OptionalLong observe(AddressSupply supply, long now, boolean ready) {
      if (left) {
        return OptionalLong.empty();
      }
      long known = scans;
      if (!state.isTainted() && taints.isTainted(name)) {
        become(new TaintState.Inherited(now, known));
      }
      boolean trusted = ready && known > 0 && freshUntilNanos - now >= 0;
      TaintState before = state;
      Moment moment;
      synchronized (lock) { // two nodes never take the last room of a group
        moment = new Moment(now, delay, known, trusted, count(group, 0, 0));
        become(before.next(supply, moment));
      }
      if (!trusted && state instanceof TaintState.Exhausted it && it.isDue(moment)) {
        sayUntrusted(supply);
      }
      Optional<Blocked> shown = state.shown();
      if (shown.isPresent() && !shown.equals(before.shown())) {
        exhausted(shown.get());
      } else if (before.isTainted() && !state.isTainted()) {
        LOG.info("The taint of the node is removed. node={} free={}", name, supply.free());
        taints.available(name);
      }
      return state.due(moment);
    }

    private void exhausted(Blocked why) {
      NodeProblem problem = new NodeProblem(why.reason(), why.detail());
      LOG.warn(
          "The node has no address for a pod and cannot get one: it is tainted. node={} cause={}",
          name,
          problem.message());
      taints.exhausted(name, problem);
    }

    private void sayUntrusted(AddressSupply supply) {
      if (saidUntrusted.compareAndSet(false, true)) {
        LOG.warn(
            "A node has no address for a pod; no node is tainted while the cloud's API is not"
                + " trusted. node={} reason={}",
            name,
            supply.obstacle().map(why -> why.reason().label()).orElse(""));
      }
    }

    private void become(TaintState next) {
      int more = (next.isTainted() ? 1 : 0) - (state.isTainted() ? 1 : 0);
      if (more != 0) {
        count(group, 0, more);
      }
      state = next;
    }

    /** Ends the decisions; what the node shows stays. Idempotent. */
    public void leave() {
      if (!left) {
        left = true;
        become(TaintState.Served.SERVED);
        count(group, -1, 0);
      }
    }

    /** Whether it is tainted, or would be: then each scan of the cloud decides anew. */
    public boolean needsScans() {
      return !(state instanceof TaintState.Served);
    }

    /** How long the node has been tainted, as far as this operator knows; empty when it is not. */
    public Optional<Duration> taintedFor(long now) {
      long since =
          state instanceof TaintState.Tainted it
              ? it.sinceNanos()
              : state instanceof TaintState.Inherited by ? by.sinceNanos() : now;
      return state.isTainted() ? Optional.of(Duration.ofNanos(now - since)) : Optional.empty();
    }
  }
}
