package io.tidemark.it.cluster;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.tidemark.ip.IpAddress;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.resource.NodeResource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;

/** The agent of one node, which has as many pods as it is told, and acts when it is told. */
public final class ClusterAgent {
  private static final int CONFLICT = 409;

  private final CiliumNodes nodes;
  private final String node;
  private final SplittableRandom random;
  private final SteppedAgent agent;
  private long lastTurnNanos = System.nanoTime();
  private int pods;

  /** Of that node; {@code random} chooses the pods that end. */
  public ClusterAgent(CiliumNodes nodes, String node, SplittableRandom random) {
    this.nodes = nodes;
    this.node = node;
    this.random = random;
    this.agent = new SteppedAgent(node, Map.of(), random.nextLong());
  }

  /** Addresses that pods hold. */
  public SortedMap<IpAddress, String> used() {
    return agent.used();
  }

  /**
   * Gives pods addresses, or takes them away, until {@code wanted} hold one, as far as there are
   * any; then says so, unless somebody wrote in between or the server is away.
   *
   * @return whether that many hold one, and the server knows
   */
  public boolean turn(int wanted) {
    try {
      NodeResource now = nodes.node(node);
      long nanos = System.nanoTime();
      agent.pass(Duration.ofNanos(nanos - lastTurnNanos));
      lastTurnNanos = nanos;
      agent.applied(now);
      List<IpAddress> holders = new ArrayList<>(agent.used().keySet());
      while (holders.size() > wanted) {
        agent.ends(holders.remove(random.nextInt(holders.size())));
      }
      while (agent.used().size() < wanted && agent.starts("default/pod-" + node + '-' + pods)) {
        pods++;
      }
      NodeResource answered = agent.applied(now);
      if (!answered.sameStatus(now)) {
        nodes.writeStatus(answered);
      }
      return agent.used().size() == wanted;
    } catch (KubernetesClientException e) {
      if (e.getCode() == CONFLICT || e.getCode() == 0 || e.getCode() >= 500) {
        return false; // the next turn is on a newer object
      }
      throw e;
    }
  }
}
