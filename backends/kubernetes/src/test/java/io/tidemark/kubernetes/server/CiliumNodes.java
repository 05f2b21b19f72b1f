package io.tidemark.kubernetes.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.resource.PodIpPool;
import io.tidemark.testing.Samples;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The CiliumNodes of an API server as agents and people see and write them, without the store that
 * is to be tested. Whatever the server refuses, another writer in between among it, is an exception
 * of the client library. Thread-safe.
 */
public final class CiliumNodes {
  /** Where they are. */
  public static final String PATH = "/apis/cilium.io/v2/ciliumnodes";

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final ClusterConnection cluster;

  /** Through that connection. */
  public CiliumNodes(ClusterConnection cluster) {
    this.cluster = cluster;
  }

  /** One object now. */
  public NodeResource node(String name) {
    return Samples.parsed(text(name));
  }

  /** One object now, as the server prints it. */
  public String text(String name) {
    return cluster.client().raw(PATH + '/' + name);
  }

  /** All objects now. */
  public List<NodeResource> all() {
    try {
      List<NodeResource> all = new ArrayList<>();
      MAPPER
          .readTree(cluster.client().raw(PATH))
          .get("items")
          .forEach(item -> all.add(Samples.parsed(item.toString())));
      return all;
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes an object; as it was stored. */
  public NodeResource create(NodeResource made) {
    return create(NodeResourceJson.print(made));
  }

  /** Makes the object of a text; as it was stored. */
  public NodeResource create(String text) {
    return Samples.parsed(cluster.client().raw(PATH, "POST", text));
  }

  /** Writes the status on the version that {@code changed} has; as it was stored. */
  public NodeResource writeStatus(NodeResource changed) {
    return put(PATH + '/' + changed.name() + "/status", changed);
  }

  /** Writes metadata and spec on the version that {@code changed} has; as it was stored. */
  public NodeResource writeSpec(NodeResource changed) {
    return put(PATH + '/' + changed.name(), changed);
  }

  /** As {@link #writeSpec}, by another program, which the server knows by {@code manager}. */
  public NodeResource writeSpecAs(String manager, NodeResource changed) {
    return put(PATH + '/' + changed.name() + "?fieldManager=" + manager, changed);
  }

  private NodeResource put(String path, NodeResource changed) {
    return Samples.parsed(cluster.client().raw(path, "PUT", NodeResourceJson.print(changed)));
  }

  /** The node with one more address in its pool, on that interface, which is new. */
  public static NodeResource withPoolAddress(NodeResource node, String eni, IpAddress address) {
    Map<String, AddressSet> pool = new TreeMap<>(node.pool().byResource());
    pool.put(eni, AddressSet.of(address));
    return node.withPool(PodIpPool.of(pool));
  }

  /** Deletes an object. */
  public void delete(String name) {
    cluster.client().raw(PATH + '/' + name, "DELETE", null);
  }

  /** Deletes all objects. */
  public void clear() {
    cluster.client().raw(PATH, "DELETE", null);
  }
}
