package io.tidemark.kubernetes.store;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.fabric8.kubernetes.api.model.DefaultKubernetesResourceList;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNode.Scheduling;
import io.tidemark.cluster.ClusterNodeJson;
import io.tidemark.ip.Cidr;
import io.tidemark.resource.ReceivedObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A Kubernetes Node. What is sent is a patch. */
@Group("")
@Version("v1")
@Kind("Node")
@Plural("nodes")
@JsonDeserialize(using = NodeObjectJson.Reader.class)
final class NodeObjectJson extends KnownObjectJson<ClusterNode> {
  private static final long serialVersionUID = 1L;
  private static final String WHERE = "a Node";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private NodeObjectJson(KnownObject<ClusterNode> known) {
    super(known);
  }

  /** For the client library: part of a list. */
  static final class Page extends DefaultKubernetesResourceList<NodeObjectJson> {
    private static final long serialVersionUID = 1L;
  }

  /** For the client library. Invalid values make an object with problems, never a failure. */
  static final class Reader extends JsonDeserializer<NodeObjectJson> {
    @Override
    public NodeObjectJson deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      return new NodeObjectJson(known(ClusterNodeJson.receive(parser, WHERE)));
    }
  }

  private static KnownObject<ClusterNode> known(ReceivedObject<ClusterNode> received) {
    return KnownObject.of(received, node -> node);
  }

  /**
   * Reads the text of an answer.
   *
   * @throws UncheckedIOException when it is not a Node, such as the page of a gateway
   */
  static KnownObject<ClusterNode> read(String text) {
    try {
      KnownObject<ClusterNode> read = known(ClusterNodeJson.receive(text, WHERE));
      if (read.payload().isEmpty()) {
        throw new IOException(read.problems().get(0).toString());
      }
      return read;
    } catch (IOException e) {
      throw new UncheckedIOException("the answer is not that of an API server", e);
    }
  }

  /** A merge patch that gives the incarnation {@code uid} these CIDRs. */
  static String podCidrs(String uid, List<Cidr> cidrs) {
    ObjectNode patch = withUid(uid);
    ObjectNode spec = patch.putObject("spec").put("podCIDR", cidrs.get(0).toString());
    ArrayNode all = spec.putArray("podCIDRs");
    cidrs.forEach(each -> all.add(each.toString()));
    return print(patch);
  }

  /** A strategic merge patch by which the network of the incarnation {@code uid} has a route. */
  static String networkAvailable(String uid, Instant now) {
    ObjectNode patch = withUid(uid);
    patch
        .putObject("status")
        .putArray("conditions")
        .addObject()
        .put("type", "NetworkUnavailable")
        .put("status", "False")
        .put("reason", "RouteCreated")
        .put("message", "NodeController create implicit route")
        .put("lastHeartbeatTime", now.toString())
        .put("lastTransitionTime", now.toString());
    return print(patch);
  }

  /** A merge patch that adds annotations to the incarnation and version that was seen. */
  static String annotations(ClusterNode seen, Map<String, String> annotations) {
    ObjectNode patch = MAPPER.createObjectNode();
    ObjectNode metadata = patch.putObject("metadata").put("uid", seen.uid());
    metadata.put("resourceVersion", seen.version());
    ObjectNode all = metadata.putObject("annotations");
    new TreeMap<>(annotations).forEach(all::put);
    return print(patch);
  }

  /**
   * A merge patch that gives the incarnation and version that was seen our taint, or takes it away;
   * those of others are written as they are.
   */
  static String taint(ClusterNode seen, boolean tainted) {
    ObjectNode patch = withUid(seen.uid());
    patch.withObject("metadata").put("resourceVersion", seen.version());
    ArrayNode taints = patch.putObject("spec").putArray("taints");
    seen.scheduling().taints().stream()
        .filter(each -> !Scheduling.isOurs(each))
        .forEach(each -> taints.addRawValue(new RawValue(each)));
    if (tainted) {
      taints.addObject().put("key", Scheduling.TAINT).put("effect", "NoSchedule");
    }
    return print(patch);
  }

  /**
   * A strategic merge patch by which pods get addresses, or do not for a reason.
   *
   * @param missing reason and message; empty when pods get addresses
   */
  static String podAddresses(
      ClusterNode seen, Optional<Map.Entry<String, String>> missing, Instant now) {
    ObjectNode patch = withUid(seen.uid());
    ObjectNode condition =
        patch
            .putObject("status")
            .putArray("conditions")
            .addObject()
            .put("type", Scheduling.CONDITION)
            .put("status", missing.isPresent() ? "False" : "True")
            .put("reason", missing.map(Map.Entry::getKey).orElse("AddressesAvailable"))
            .put("message", missing.map(Map.Entry::getValue).orElse("pods get addresses"))
            .put("lastHeartbeatTime", now.toString());
    if (missing.isPresent() != seen.scheduling().unavailableReason().isPresent()) {
      condition.put("lastTransitionTime", now.toString());
    }
    return print(patch);
  }

  private static ObjectNode withUid(String uid) {
    ObjectNode patch = MAPPER.createObjectNode();
    patch.putObject("metadata").put("uid", uid);
    return patch;
  }

  private static String print(ObjectNode patch) {
    try {
      return MAPPER.writeValueAsString(patch);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("a tree cannot fail to be printed", e);
    }
  }
}
