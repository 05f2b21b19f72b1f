package io.tidemark.daemon;

import io.tidemark.cluster.NodeBackend;
import io.tidemark.daemon.machine.Machine;
import io.tidemark.error.IpamException;
import io.tidemark.time.StopSignal;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The wait of an agent's start for the object of its node and for addresses. Blocks the program's
 * main thread, which alone uses it.
 */
final class StartWait {
  private static final Logger LOG = LoggerFactory.getLogger(StartWait.class);
  private static final long LOOK_MILLIS = 200;

  /** A store has read its objects by then. */
  private static final long TELL_MILLIS = 1000;

  private final NodeBackend nodes;
  private final AgentNode node;
  private final StopSignal stop;
  private long waited;
  private String told = "";

  /** Nothing was looked at. */
  StartWait(NodeBackend nodes, AgentNode node, StopSignal stop) {
    this.nodes = nodes;
    this.node = node;
    this.stop = stop;
  }

  /** How long all waits together took. */
  long waitedMillis() {
    return waited;
  }

  /**
   * Looks until something holds, and logs each cause once.
   *
   * @param lacking why it does not, for people
   * @param waitMax for all waits together, in milliseconds
   * @return false when the agent is to stop before
   * @throws IpamException with {@code NODE_WITHOUT_ADDRESSES}, or {@code NODE_UNKNOWN} where there
   *     is no object of the node, when that time is over
   */
  boolean holds(BooleanSupplier condition, Supplier<String> lacking, long waitMax)
      throws InterruptedException {
    while (!condition.getAsBoolean()) {
      if (stop.requested().toCompletableFuture().isDone()) {
        return false;
      }
      String why = lacking.get();
      if (waited >= waitMax) {
        boolean absent = nodes.store().latest(node.name()).isEmpty();
        throw inVain(waitMax / 1000, nodes.trouble(), absent, why);
      }
      if (waited >= TELL_MILLIS && !why.equals(told)) {
        LOG.warn("The agent waits for the addresses of its node. cause={}", why);
        told = why;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      waited += LOOK_MILLIS;
    }
    return true;
  }

  /**
   * The error of a start whose wait for addresses is over.
   *
   * @param trouble why the object cannot be read, if it cannot
   * @param absent whether there is no object, as far as could be read
   * @param why there are no addresses, for people
   */
  static IpamException inVain(long seconds, List<String> trouble, boolean absent, String why) {
    return new IpamException(
        trouble.isEmpty() && absent ? DaemonError.NODE_UNKNOWN : DaemonError.NODE_WITHOUT_ADDRESSES,
        "not within " + seconds + " s: " + (trouble.isEmpty() ? why : String.join("; ", trouble)));
  }

  /** Why there is no object of this machine, for people. */
  String absent(Machine machine) {
    return nodes
        .store()
        .latest(node.name())
        .map(
            other ->
                "spec.instance-id of node "
                    + node.name()
                    + " is "
                    + other.instanceId().orElse("missing")
                    + "; this instance is "
                    + machine.instance().orElse("unknown"))
        .orElseGet(() -> node.place() + " has no node " + node.name());
  }
}
