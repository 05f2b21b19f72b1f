package io.tidemark.it.cluster;

import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.kubernetes.server.ApiServer.User;
import io.tidemark.kubernetes.server.Eventually;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A real API server with CiliumNodes whose pools an operator with the mock cloud has filled. */
public final class FilledCluster implements AutoCloseable {
  private final ApiServer server;

  private FilledCluster(ApiServer server) {
    this.server = server;
  }

  /**
   * Starts the server, and fills the pools.
   *
   * @param folder for the operator's log
   */
  public static FilledCluster create(Path folder, int nodes) throws Exception {
    FilledCluster cluster = new FilledCluster(ApiServer.start());
    try (ClusterConnection admin = cluster.server.connect(User.ADMIN)) {
      new ManyObjects(admin).nodes(nodes);
      FillProgress progress =
          new FillProgress(
              cluster.server, admin, nodes, "PUT ciliumnodes", "PUT ciliumnodes/status");
      List<String> arguments = cluster.arguments(cluster.kubeconfig().toString(), 0);
      arguments.remove(0);
      try (ClusterOperator operator =
          ClusterOperator.start(folder.resolve("fill.log"), "111111111111", arguments)) {
        Eventually.holds("all pools are written", progress::isDone);
        operator.terminate();
      }
    }
    return cluster;
  }

  /** For the cluster's administrator. */
  public Path kubeconfig() throws IOException {
    return server.kubeconfig(User.ADMIN);
  }

  /** The command of an operator like that which filled the pools. */
  public List<String> arguments(String kubeconfig, int port) {
    return new ArrayList<>(
        List.of(
            "run",
            "--provider=mock",
            "--kubeconfig=" + kubeconfig,
            "--port=" + port,
            "--operator-k8s-client-qps=0",
            "--operator-k8s-client-burst=0"));
  }

  @Override
  public void close() {
    server.close();
  }
}
