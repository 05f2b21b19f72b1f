package io.tidemark.it.cluster;

import io.tidemark.ip.Cidr;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.resource.NodeResource;
import java.util.List;

/**
 * How fast all CiliumNodes of a cluster get their CIDRs, on a real API server: from Tidemark, and
 * from writers that make one write of the spec each, in turns, each on a server of its own; as
 * printed lines. Run by {@code .ci/benchmarks cluster-pool [NODES [ROUNDS]]}.
 */
public final class PoolFigures {
  private static final Cidr RANGE = Cidr.parse("10.0.0.0/8");
  private static final int MASK = 24;
  private static final List<String> OPTIONS =
      List.of(
          "--ipam=cluster-pool",
          "--cluster-pool-ipv4-cidr=" + RANGE,
          "--cluster-pool-ipv4-mask-size=" + MASK);

  private PoolFigures() {}

  /** Number of nodes; number of rounds. */
  public static void main(String[] arguments) throws Exception {
    int nodes = Integer.parseInt(arguments[0]);
    int rounds = Integer.parseInt(arguments[1]);
    NodesFigures<NodeResource> figures =
        new NodesFigures<>(
            new NodesFigures.Given<>(
                new Objects(),
                "CIDR",
                node -> !node.podCidrs().isEmpty(),
                OPTIONS,
                List.of("PUT ciliumnodes")),
            nodes);
    for (int round = 0; round < rounds; round++) {
      figures.onServer(
          "writers alone",
          (server, admin) -> {
            CiliumNodes objects = new CiliumNodes(admin);
            figures.write(admin, (node, i) -> write(objects, node, i));
          });
      figures.onServer("Tidemark without limits", figures.filling(NodesFigures.NO_LIMITS));
    }
    figures.onServer("Tidemark with its limits", figures.filling());
  }

  private static void write(CiliumNodes objects, NodeResource node, int number) {
    String cidr = RANGE.subnet(MASK, number).toString();
    objects.writeSpec(node.withPodCidrs(List.of(cidr)));
  }

  private record Objects() implements NodesFigures.Kind<NodeResource> {
    @Override
    public String resource() {
      return "ciliumnodes";
    }

    @Override
    public NodeResource create(ClusterConnection admin, String name) {
      return new CiliumNodes(admin).create(NodeResource.named(name));
    }

    @Override
    public NodeResource node(ClusterConnection admin, String name) {
      return new CiliumNodes(admin).node(name);
    }

    @Override
    public List<NodeResource> all(ClusterConnection admin) {
      return new CiliumNodes(admin).all();
    }
  }
}
