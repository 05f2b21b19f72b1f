package io.tidemark.kubernetes.leader;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.tidemark.kubernetes.ClusterConnection;
import java.util.List;

/**
 * The content of the object of a node, without its operator. Immutable.
 *
 * @param used addresses in use
 * @param available addresses in the pool
 * @param podCidrs that the node has
 * @param id that the node has; empty text without one
 * @param error what an operator wrote to the object; empty text when there is none
 */
public record ListedNode(
    String name, int used, int available, List<String> podCidrs, String id, String error) {
  private static final String CILIUM_NODES = "/apis/cilium.io/v2/ciliumnodes";
  private static final String NODES = "/api/v1/nodes";

  public ListedNode {
    podCidrs = List.copyOf(podCidrs);
  }

  /**
   * All CiliumNodes; blocks for one request per 500 of them.
   *
   * @throws Unreadable with the reason, for people
   */
  public static List<ListedNode> ciliumNodes(ClusterConnection cluster) throws Unreadable {
    return all(cluster, CILIUM_NODES);
  }

  /**
   * All Kubernetes Nodes; blocks for one request per 500 of them.
   *
   * @throws Unreadable with the reason, for people
   */
  public static List<ListedNode> nodes(ClusterConnection cluster) throws Unreadable {
    return all(cluster, NODES);
  }

  /** The objects cannot be listed. */
  public static final class Unreadable extends Exception {
    private static final long serialVersionUID = 1;

    Unreadable(String reason, Throwable cause) {
      super(reason, cause);
    }

    /** The reason, for people. */
    public String reason() {
      return String.valueOf(getMessage());
    }
  }

  private static List<ListedNode> all(ClusterConnection cluster, String path) throws Unreadable {
    try {
      return cluster.pages(path, ListedNodeJson::read).stream().flatMap(List::stream).toList();
    } catch (KubernetesClientException e) {
      throw new Unreadable(LeaderSearch.problem(cluster, e), e);
    }
  }
}
