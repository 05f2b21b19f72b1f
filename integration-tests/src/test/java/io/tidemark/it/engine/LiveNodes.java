package io.tidemark.it.engine;

import io.tidemark.ip.IpAddress;
import io.tidemark.it.cluster.AgentDoor;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import java.util.Map;

/** CiliumNodes as agents and people see them. Another writer in between is an exception. */
final class LiveNodes implements AgentDoor {
  private static final String PATH = "/apis/cilium.io/v2/ciliumnodes";

  private final ClusterConnection cluster;

  LiveNodes(ClusterConnection cluster) {
    this.cluster = cluster;
  }

  @Override
  public NodeResource node(String name) {
    return SequenceJson.parsed(cluster.client().raw(PATH + '/' + name));
  }

  NodeResource create(NodeResource made) {
    return send(PATH, "POST", made);
  }

  @Override
  public void writeStatus(NodeResource changed) {
    NodeResource unused = send(PATH + '/' + changed.name() + "/status", "PUT", changed);
  }

  void writeSpec(NodeResource changed) {
    NodeResource unused = send(PATH + '/' + changed.name(), "PUT", changed);
  }

  /** Asks whether this could be created; nothing is. */
  void tryToCreate(NodeResource made) {
    NodeResource unused = send(PATH + "?dryRun=All", "POST", made);
  }

  private NodeResource send(String path, String method, NodeResource resource) {
    return SequenceJson.parsed(
        cluster.client().raw(path, method, NodeResourceJson.print(resource)));
  }

  /** Whether the pool of a node is what the cloud has on its interfaces. */
  boolean poolIsOfTheCloud(String name, MockAccount account) {
    Map<IpAddress, String> held = account.secondaryAddresses(name);
    NodeResource now = node(name);
    return now.pool().size() == held.size()
        && held.entrySet().stream()
            .allMatch(
                each ->
                    now.pool().resource(each.getKey()).filter(each.getValue()::equals).isPresent());
  }
}
