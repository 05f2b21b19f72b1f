package io.tidemark.it.cluster;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.tidemark.ip.IpAddress;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.resource.NodeResource;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * The agent of one node as the reference's behaves (node-manager 4.8): takes addresses of the pool
 * for its pods, says which are used, and answers the release handshake. It acts when it is told to.
 */
public final class ClusterAgent {
  private static final int CONFLICT = 409;

  private final CiliumNodes nodes;
  private final String node;
  private final SplittableRandom random;
  private final SortedMap<IpAddress, String> used = new TreeMap<>();
  private int pods;

  /** Of that node; {@code random} chooses among free addresses. */
  public ClusterAgent(CiliumNodes nodes, String node, SplittableRandom random) {
    this.nodes = nodes;
    this.node = node;
    this.random = random;
  }

  /** Addresses that pods hold. */
  public SortedMap<IpAddress, String> used() {
    return used;
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
      List<IpAddress> holders = new ArrayList<>(used.keySet());
      while (used.size() > wanted) {
        used.remove(holders.remove(random.nextInt(holders.size())));
      }
      List<IpAddress> free = AgentReply.free(now, used.keySet());
      while (used.size() < wanted && !free.isEmpty()) {
        used.put(free.remove(random.nextInt(free.size())), "default/pod-" + node + '-' + pods++);
      }
      NodeResource answered = AgentReply.to(now, used);
      if (!answered.sameStatus(now)) {
        nodes.writeStatus(answered);
      }
      return used.size() == wanted;
    } catch (KubernetesClientException e) {
      if (e.getCode() == CONFLICT || e.getCode() == 0 || e.getCode() >= 500) {
        return false; // the next turn is on a newer object
      }
      throw e;
    }
  }
}
