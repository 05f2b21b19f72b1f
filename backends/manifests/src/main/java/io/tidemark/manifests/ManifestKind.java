package io.tidemark.manifests;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNodeJson;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.resource.ParsedResource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The content of the files.
 *
 * @param <T> one object of it, immutable
 * @param parse reads one object; problems name the path inside the object
 * @param edit makes a change in a file
 * @param withVersion the object with another version
 */
record ManifestKind<T>(
    String apiVersion,
    String kind,
    Function<ObjectNode, ParsedResource<T>> parse,
    Edit<T> edit,
    Function<T, String> version,
    BiFunction<T, String, T> withVersion) {
  /** The object in a file after a change; what the change leaves stays, and so does the order. */
  @FunctionalInterface
  interface Edit<T> {
    ObjectNode apply(T before, T after, ObjectNode inFile);
  }

  static final ManifestKind<NodeResource> CILIUM_NODE =
      new ManifestKind<>(
          "cilium.io/v2",
          "CiliumNode",
          tree -> NodeResourceJson.parse(tree.toString(), ""),
          (before, after, inFile) -> ciliumNode(after, inFile),
          NodeResource::resourceVersion,
          NodeResource::withResourceVersion);

  /** Kubernetes Nodes, of which CIDRs and this product's annotations change (node-cidr AM31). */
  static final ManifestKind<ClusterNode> NODE =
      new ManifestKind<>(
          "v1",
          "Node",
          tree -> ClusterNodeJson.parse(tree.toString(), ""),
          ManifestKind::node,
          ClusterNode::version,
          ClusterNode::withVersion);

  /** The resource keeps all that it was read from; items of a typed list may leave out the kind. */
  private static ObjectNode ciliumNode(NodeResource after, ObjectNode inFile) {
    ObjectNode now = tree(NodeResourceJson.print(after));
    now.set("metadata", inFile.get("metadata")); // that of the object has the version of the store
    if (!inFile.has("kind")) {
      now.remove(List.of("apiVersion", "kind"));
    }
    return ordered(now, inFile);
  }

  private static ObjectNode tree(String json) {
    try {
      return (ObjectNode) ManifestDocument.MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("it was printed as JSON", e);
    }
  }

  /** The members in the order of the file, then the new ones. */
  private static ObjectNode ordered(ObjectNode now, ObjectNode inFile) {
    Set<String> names = new LinkedHashSet<>();
    inFile.fieldNames().forEachRemaining(names::add);
    now.fieldNames().forEachRemaining(names::add);
    names.removeIf(name -> !now.has(name));
    ObjectNode ordered = now.objectNode();
    for (String name : names) {
      JsonNode value = now.get(name);
      if (value instanceof ObjectNode inner && inFile.get(name) instanceof ObjectNode old) {
        value = ordered(inner, old);
      }
      ordered.set(name, value);
    }
    return ordered;
  }

  private static ObjectNode node(ClusterNode before, ClusterNode after, ObjectNode inFile) {
    ObjectNode now = inFile.deepCopy();
    if (!after.podCidrs().equals(before.podCidrs())) {
      ObjectNode spec = now.withObjectProperty("spec").put("podCIDR", after.podCidrs().first());
      after.podCidrs().all().forEach(spec.putArray("podCIDRs")::add);
    }
    if (!after.annotations().equals(before.annotations())) {
      new TreeMap<>(after.annotations())
          .forEach(now.withObjectProperty("metadata").withObjectProperty("annotations")::put);
    }
    return now;
  }

  /** The remedy for an object of another kind. */
  String remedy() {
    return "Keep only objects of kind " + kind + " (apiVersion " + apiVersion + ") in this place.";
  }
}
