package io.tidemark.manifests;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNodeJson;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.resource.ParsedResource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The content of the files.
 *
 * @param <T> one object of it, immutable
 * @param parse reads one object; problems name the path inside the object
 * @param edit of the object in a file, from its present state to another one; what the change
 *     leaves stays, and so does the order
 */
record ManifestKind<T>(
    String apiVersion,
    String kind,
    Function<ObjectNode, ParsedResource<T>> parse,
    BiFunction<T, T, UnaryOperator<ObjectNode>> edit,
    BiFunction<T, String, T> withVersion) {
  static final ManifestKind<NodeResource> CILIUM_NODE =
      new ManifestKind<>(
          "cilium.io/v2",
          "CiliumNode",
          tree -> NodeResourceJson.parse(tree.toString(), ""),
          (before, after) -> inFile -> ciliumNode(after, inFile),
          NodeResource::withResourceVersion);

  /** Kubernetes Nodes, of which CIDRs and this product's annotations change (node-cidr AM31). */
  static final ManifestKind<ClusterNode> NODE =
      new ManifestKind<>(
          "v1",
          "Node",
          tree -> ClusterNodeJson.parse(tree.toString(), ""),
          (before, after) -> inFile -> node(before, after, inFile),
          ClusterNode::withVersion);

  /** Objects of this kind as something else that is only read. */
  <R> ManifestKind<R> readAs(BiFunction<T, ObjectNode, R> view) {
    return new ManifestKind<>(
        apiVersion,
        kind,
        tree -> parse.apply(tree).map(object -> view.apply(object, tree)),
        (before, after) -> inFile -> inFile,
        (object, version) -> object);
  }

  /** The resource keeps all that it was read from; items of a typed list may leave out the kind. */
  private static ObjectNode ciliumNode(NodeResource after, ObjectNode inFile) {
    try {
      ObjectNode now = (ObjectNode) ManifestDocument.MAPPER.readTree(NodeResourceJson.print(after));
      now.set("metadata", inFile.get("metadata")); // that of the object has the store's version
      if (!inFile.has("kind")) {
        now.remove(List.of("apiVersion", "kind"));
      }
      return ordered(now, inFile);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("it was printed as JSON", e);
    }
  }

  /** The members in the order of the file, then the new ones. */
  private static ObjectNode ordered(ObjectNode now, ObjectNode inFile) {
    ObjectNode ordered = now.objectNode();
    ordered.setAll(inFile);
    ordered.retain(now.properties().stream().map(Map.Entry::getKey).collect(Collectors.toSet()));
    for (Map.Entry<String, JsonNode> each : now.properties()) {
      JsonNode value = each.getValue();
      if (value instanceof ObjectNode inner
          && inFile.get(each.getKey()) instanceof ObjectNode old) {
        value = ordered(inner, old);
      }
      ordered.set(each.getKey(), value);
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
