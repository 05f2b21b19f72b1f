package io.tidemark.kubernetes.store;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.resource.NodeResourceStore.Watcher;
import io.tidemark.resource.ParsedResource;
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
  static final String PATH = "/apis/cilium.io/v2/ciliumnodes";

  final ApiServer server;
  final ClusterConnection admin;
  private final List<Runnable> opened = new ArrayList<>();

  StoreWorld(String... flags) throws IOException {
    server = ApiServer.start(flags);
    admin = server.connect(ApiServer.User.ADMIN);
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

  /** Creates an object as an agent does, and answers it as stored. */
  NodeResource create(NodeResource resource) {
    return parsed(raw(PATH, "POST", NodeResourceJson.print(resource)));
  }

  /** What an agent writes, on the newest version. */
  NodeResource writeStatus(NodeResource changed) {
    NodeResource fresh = read(changed.name()).withStatusOf(changed);
    return parsed(
        raw(PATH + '/' + changed.name() + "/status", "PUT", NodeResourceJson.print(fresh)));
  }

  /** What a person writes. */
  NodeResource writeSpec(NodeResource changed) {
    return parsed(raw(PATH + '/' + changed.name(), "PUT", NodeResourceJson.print(changed)));
  }

  NodeResource read(String name) {
    return parsed(raw(PATH + '/' + name, "GET", ""));
  }

  void delete(String name) {
    raw(PATH + '/' + name, "DELETE", "");
  }

  String raw(String path, String method, String body) {
    KubernetesClient client = admin.client();
    return client.raw(path, method, body.isEmpty() ? null : body);
  }

  static NodeResource parsed(String text) {
    ParsedResource parsed = NodeResourceJson.parse(text, "the server's answer");
    return parsed.match(
        resource -> resource,
        invalid -> {
          throw new AssertionError(invalid.problems().toString());
        });
  }

  /** Requests of one kind that the server has counted since it started. */
  long requests(String verb, String subresource) {
    String metrics = raw("/metrics", "GET", "");
    return metrics
        .lines()
        .filter(line -> line.startsWith("apiserver_request_total{"))
        .filter(line -> line.contains("resource=\"ciliumnodes\""))
        .filter(line -> line.contains("subresource=\"" + subresource + '"'))
        .filter(line -> line.contains("verb=\"" + verb + '"'))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** Removes all objects. */
  void clear() {
    try {
      raw(PATH, "DELETE", "");
    } catch (KubernetesClientException e) {
      throw new AssertionError(e);
    }
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
