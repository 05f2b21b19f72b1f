package io.tidemark.it.cluster;

import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.ApiServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Looks whether all nodes are written. Until etcd's revision says that so much was written, the API
 * server is not asked: to count its requests takes a tenth of a second of what the operator needs,
 * too.
 */
final class FillProgress {
  /** Between two looks. */
  static final Duration PAUSE = Duration.ofMillis(100);

  /** Writes of a lease and of events before the first of a node, at most. */
  private static final int OTHER_WRITES = 16;

  private final ApiServer server;
  private final ClusterConnection admin;
  private final ServerRequests before;
  private final int nodes;
  private final List<String> writes;
  private final long revision;
  private long beganNanos;

  /** Of so many nodes, each of which needs these writes, from now on. */
  FillProgress(ApiServer server, ClusterConnection admin, int nodes, String... writes)
      throws IOException {
    this.server = server;
    this.admin = admin;
    this.before = ServerRequests.of(admin);
    this.nodes = nodes;
    this.writes = List.of(writes);
    this.revision = server.revision();
  }

  /** Whether every node had all of its writes. */
  boolean isDone() throws IOException {
    long written = server.revision() - revision;
    if (written <= OTHER_WRITES) {
      beganNanos = System.nanoTime();
    }
    if (written < (long) nodes * writes.size()) {
      return false;
    }
    ServerRequests now = requests();
    return writes.stream().allMatch(each -> now.of(each) >= nodes);
  }

  /** Those of others included. */
  ServerRequests requests() {
    return ServerRequests.of(admin).since(before);
  }

  /** When hardly anything was written yet. */
  long beganNanos() {
    return beganNanos;
  }
}
