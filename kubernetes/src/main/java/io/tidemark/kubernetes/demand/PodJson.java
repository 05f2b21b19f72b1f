package io.tidemark.kubernetes.demand;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import io.tidemark.cluster.AnnotatedPools;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * What is read of a Pod by the client library's informer: who it is, where it runs, the annotations
 * about pools. The library's own type needs hundreds of classes. It is read, never sent.
 */
@Group("")
@Version("v1")
@Kind("Pod")
@Plural("pods")
@JsonDeserialize(using = PodJson.Reader.class)
final class PodJson implements HasMetadata, Namespaced {
  private static final long serialVersionUID = 1L;

  private transient ObjectMeta metadata;
  private final transient String node;
  private final transient boolean pending;
  private final transient boolean hostNetwork;

  private PodJson(ObjectMeta metadata, JsonNode pod) {
    this.metadata = metadata;
    this.node = pod.path("spec").path("nodeName").asText("");
    this.pending = pod.path("status").path("phase").asText("").equals("Pending");
    this.hostNetwork = pod.path("spec").path("hostNetwork").asBoolean();
  }

  /** The node that it is bound to; empty when there is none. */
  String node() {
    return node;
  }

  boolean isPending() {
    return pending;
  }

  /** Whether it has the addresses of its node. */
  boolean hasHostNetwork() {
    return hostNetwork;
  }

  @Override
  public ObjectMeta getMetadata() {
    return metadata;
  }

  @Override
  public void setMetadata(ObjectMeta metadata) {
    this.metadata = metadata;
  }

  @Override
  public void setApiVersion(String version) {
    // the same for every object of this type
  }

  /**
   * For the client library. A value that is missing, or of another type, is as if it were empty.
   */
  static final class Reader extends JsonDeserializer<PodJson> {
    @Override
    public PodJson deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      JsonNode pod = context.readTree(parser);
      JsonNode read = pod.path("metadata");
      ObjectMeta metadata = new ObjectMeta();
      metadata.setName(read.path("name").asText(""));
      metadata.setNamespace(read.path("namespace").asText(""));
      metadata.setUid(read.path("uid").asText(""));
      metadata.setResourceVersion(read.path("resourceVersion").asText(""));
      Map<String, String> annotations = new HashMap<>();
      for (Map.Entry<String, JsonNode> each : read.path("annotations").properties()) {
        if (AnnotatedPools.isRead(each.getKey())) {
          annotations.put(each.getKey(), each.getValue().asText());
        }
      }
      metadata.setAnnotations(Map.copyOf(annotations));
      return new PodJson(metadata, pod);
    }
  }
}
