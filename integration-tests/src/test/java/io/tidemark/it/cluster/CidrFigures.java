package io.tidemark.it.cluster;

import io.fabric8.kubernetes.api.model.Node;
import io.tidemark.ip.Cidr;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.ApiServer.User;
import java.util.List;

/**
 * How fast all Nodes of a cluster get their CIDRs, on a real API server: from Tidemark, from
 * kube-controller-manager, and from writers that only write, each on a server of its own, in turns;
 * as printed lines. Run by {@code .ci/benchmarks node-cidrs [NODES [ROUNDS]]}.
 */
public final class CidrFigures {
  private static final Cidr RANGE = Cidr.parse("10.0.0.0/8");
  private static final int MASK = 24;
  private static final List<String> RANGES =
      List.of(
          "--cluster-cidr=" + RANGE,
          "--node-cidr-mask-size=" + MASK,
          "--service-cluster-ip-range=10.96.0.0/12");

  private CidrFigures() {}

  /** Number of nodes; number of rounds. */
  public static void main(String[] arguments) throws Exception {
    int nodes = Integer.parseInt(arguments[0]);
    int rounds = Integer.parseInt(arguments[1]);
    NodesFigures<Node> figures =
        new NodesFigures<>(
            new NodesFigures.Given<>(
                NodesFigures.NODES,
                "CIDR",
                node -> node.getSpec().getPodCIDR() != null,
                NodesFigures.concat(RANGES, "--ipam=kubernetes", "--allocate-node-cidrs=true"),
                List.of("PATCH nodes")),
            nodes);
    for (int round = 0; round < rounds; round++) {
      figures.onServer(
          "writers alone",
          (server, admin) -> figures.write(admin, (node, i) -> write(admin, node, i)));
      figures.onServer(
          "manager without limits",
          manager(figures, "--kube-api-qps=5000", "--kube-api-burst=5000"));
      figures.onServer("Tidemark without limits", figures.filling(NodesFigures.NO_LIMITS));
    }
    figures.onServer("Tidemark with its limits", figures.filling());
    figures.onServer("leader killed", figures::takeOver);
    figures.onServer("manager with its limits", manager(figures));
  }

  private static void write(ClusterConnection admin, Node node, int number) {
    String cidr = RANGE.subnet(MASK, number).toString();
    Node written =
        NodesFigures.patch(
            admin,
            node,
            "{\"metadata\":{\"uid\":\"%1$s\"},\"spec\":{\"podCIDR\":\"%2$s\",\"podCIDRs\":[\"%2$s\"]}}",
            cidr);
    if (!cidr.equals(written.getSpec().getPodCIDR())) {
      throw new IllegalStateException(written.getMetadata().getName() + " has no CIDR");
    }
  }

  private static NodesFigures.Measurement manager(NodesFigures<Node> figures, String... limits) {
    return (server, admin) -> {
      FillProgress progress = figures.progress(server, admin);
      try (ClusterOperator manager =
          ClusterOperator.manager(
              figures.log(), server.kubeconfig(User.ADMIN), NodesFigures.concat(RANGES, limits))) {
        figures.measure(manager, admin, progress);
      }
    };
  }
}
