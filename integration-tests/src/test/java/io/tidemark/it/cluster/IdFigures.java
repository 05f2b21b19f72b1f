package io.tidemark.it.cluster;

import io.fabric8.kubernetes.api.model.Node;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.nodeid.claim.NodeIdMirror;
import java.util.List;
import java.util.Map;

/**
 * How fast all Nodes of a cluster get their ids, on a real API server: from Tidemark, and from
 * writers that only write the claim and the annotations of each node, each on a server of its own,
 * in turns; as printed lines. Run by {@code .ci/benchmarks node-ids [NODES [ROUNDS]]}.
 */
public final class IdFigures {
  private static final String NAMESPACE = "tidemark-node-ids";
  private static final String LEASES =
      "/apis/coordination.k8s.io/v1/namespaces/" + NAMESPACE + "/leases";

  /** Room for 65,534 nodes. */
  private static final List<String> OPTIONS =
      List.of(
          "--ipam=node-id",
          "--node-id-pod-subnet-cidr=10.0.0.0/8",
          "--node-id-link-subnet-cidr=172.16.0.0/12",
          "--node-id-link-subnet-prefix=30",
          "--node-id-overlay-cidr=192.168.0.0/16",
          "--service-cluster-ip-range=100.64.0.0/16");

  /** As long as the annotation of a plan. */
  private static final String PLAN = "x".repeat(220);

  private IdFigures() {}

  /** Number of nodes; number of rounds. */
  public static void main(String[] arguments) throws Exception {
    int nodes = Integer.parseInt(arguments[0]);
    int rounds = Integer.parseInt(arguments[1]);
    NodesFigures<Node> figures =
        new NodesFigures<>(
            new NodesFigures.Given<>(
                NodesFigures.NODES,
                "id",
                IdFigures::hasId,
                OPTIONS,
                List.of("POST leases", "PATCH nodes")),
            nodes);
    for (int round = 0; round < rounds; round++) {
      figures.onServer(
          "writers alone",
          withNamespace(
              (server, admin) -> figures.write(admin, (node, i) -> write(admin, node, i + 1))));
      figures.onServer(
          "Tidemark without limits", withNamespace(figures.filling(NodesFigures.NO_LIMITS)));
    }
    figures.onServer("Tidemark with its limits", withNamespace(figures.filling()));
    figures.onServer("leader killed", withNamespace(figures::takeOver));
  }

  private static boolean hasId(Node node) {
    Map<String, String> annotations = node.getMetadata().getAnnotations();
    return annotations != null && annotations.containsKey(NodeIdMirror.ID);
  }

  private static NodesFigures.Measurement withNamespace(NodesFigures.Measurement measurement) {
    return (server, admin) -> {
      server.createNamespace(NAMESPACE);
      measurement.on(server, admin);
    };
  }

  private static void write(ClusterConnection admin, Node node, int id) {
    String name = node.getMetadata().getName();
    admin
        .client()
        .raw(
            LEASES,
            "POST",
            """
            {"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{
             "name":"node-id-%d","labels":{"app.kubernetes.io/managed-by":"tidemark"},
             "annotations":{"tidemark.io/node-uid":"%s"}},"spec":{"holderIdentity":"%s"}}
            """
                .formatted(id, node.getMetadata().getUid(), name));
    Node written =
        NodesFigures.patch(
            admin,
            node,
            "{\"metadata\":{\"uid\":\"%s\",\"annotations\":{\"%s\":\"%d\",\"%s\":\"%s\"}}}",
            NodeIdMirror.ID,
            id,
            NodeIdMirror.PLAN,
            PLAN);
    if (!hasId(written)) {
      throw new IllegalStateException(name + " has no id");
    }
  }
}
