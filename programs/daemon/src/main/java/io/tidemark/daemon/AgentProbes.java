package io.tidemark.daemon;

import io.tidemark.agent.Ipam;
import io.tidemark.agent.multipool.PoolCidr;
import io.tidemark.daemon.cni.CniHandler;
import io.tidemark.http.HttpListener;
import io.tidemark.program.endpoint.Probes;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The agent's state over HTTP. Thread-safe. */
final class AgentProbes implements Probes {
  private final String node;
  private volatile @Nullable Serving serving;
  private volatile Supplier<List<String>> late = List::of;

  private record Serving(
      Ipam ipam, CniHandler handler, HttpListener listener, Supplier<List<PoolCidr>> cidrs) {}

  AgentProbes(String node) {
    this.node = node;
  }

  /**
   * It answers requests from now on.
   *
   * @param cidrs of pools that consist of CIDRs
   */
  void serves(
      Ipam ipam, CniHandler handler, HttpListener listener, Supplier<List<PoolCidr>> cidrs) {
    serving = new Serving(ipam, handler, listener, cidrs);
  }

  /**
   * Objects are watched from now on.
   *
   * @param lateWatches which watches give no sign of life, a sentence each
   */
  void watches(Supplier<List<String>> lateWatches) {
    late = lateWatches;
  }

  @Override
  public List<String> unhealthy() {
    Serving now = serving;
    return now == null || now.listener().isServing()
        ? List.of()
        : List.of("the agent's socket does not answer any more");
  }

  @Override
  public List<String> unready() {
    Serving now = serving;
    List<String> reasons = new ArrayList<>(late.get());
    if (now == null) {
      reasons.add("the agent is starting");
    } else {
      now.handler().unable().ifPresent(reasons::add);
    }
    return reasons;
  }

  @Override
  public void status(OutputStream out) throws IOException {
    Serving now = serving;
    PoolsJson.write(
        out,
        node,
        unready(),
        now == null ? List.of() : now.ipam().snapshot(),
        now == null ? List.of() : now.cidrs().get());
  }
}
