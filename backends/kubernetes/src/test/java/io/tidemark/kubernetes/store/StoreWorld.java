package io.tidemark.kubernetes.store;

import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore.Watcher;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.time.SystemTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** One API server, an administrator, and stores that look at it. */
final class StoreWorld implements AutoCloseable {
  final ApiServer server;
  final ClusterConnection admin;

  /** As the administrator sees and writes them. */
  final CiliumNodes nodes;

  private final List<Runnable> opened = new ArrayList<>();

  StoreWorld(String... flags) throws IOException {
    server = ApiServer.start(flags);
    admin = server.connect(ApiServer.User.ADMIN);
    nodes = new CiliumNodes(admin);
  }

  /** A store of that user, not waited for. */
  KubernetesNodeResourceStore open(ApiServer.User user) throws IOException {
    ClusterConnection connection = server.connect(user);
    KubernetesNodeResourceStore store =
        KubernetesNodeResourceStore.open(connection, SystemTime.instance(), Runnable::run);
    opened.add(connection::close);
    opened.add(store::close);
    return store;
  }

  /** A store of the administrator that has read everything. */
  KubernetesNodeResourceStore listed() throws IOException {
    KubernetesNodeResourceStore store = open(ApiServer.User.ADMIN);
    Eventually.holds("the objects are listed", store::hasListed);
    return store;
  }

  /** Requests of one kind that the server has counted since it started. */
  long requests(String verb, String subresource) {
    return admin
        .client()
        .raw("/metrics")
        .lines()
        .filter(line -> line.startsWith("apiserver_request_total{"))
        .filter(line -> line.contains("resource=\"ciliumnodes\""))
        .filter(line -> line.contains("subresource=\"" + subresource + '"'))
        .filter(line -> line.contains("verb=\"" + verb + '"'))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  @Override
  public void close() {
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).run();
    }
    admin.close();
    server.close();
  }

  /** Remembers what it is told. */
  static final class Told implements Watcher {
    final Map<String, NodeResource> nodes = new ConcurrentHashMap<>();
    final Map<String, List<ResourceProblem>> refused = new ConcurrentHashMap<>();
    final List<String> log = Collections.synchronizedList(new ArrayList<>());
    volatile boolean synced;

    @Override
    public void upserted(NodeResource resource) {
      nodes.put(resource.name(), resource);
      log.add("upserted " + resource.name());
    }

    @Override
    public void deleted(String name) {
      nodes.remove(name);
      log.add("deleted " + name);
    }

    @Override
    public void refused(String name, List<ResourceProblem> problems) {
      refused.put(name, problems);
    }

    @Override
    public void synced() {
      synced = true;
      log.add("synced");
    }
  }
}
