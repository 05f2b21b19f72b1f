package io.tidemark.kubernetes.demand;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.tidemark.cluster.AnnotatedPools;
import io.tidemark.kubernetes.InformerObjectJson;
import java.util.HashMap;
import java.util.Map;

/** An object of which the annotations about pools are read. */
abstract class AnnotatedJson extends InformerObjectJson {
  private static final long serialVersionUID = 1L;

  AnnotatedJson(JsonNode object) {
    super(identity(object.path("metadata")));
    Map<String, String> read = new HashMap<>();
    for (Map.Entry<String, JsonNode> each :
        object.path("metadata").path("annotations").properties()) {
      if (AnnotatedPools.isRead(each.getKey())) {
        read.put(each.getKey(), each.getValue().asText());
      }
    }
    getMetadata().setAnnotations(Map.copyOf(read));
  }

  /** Name, namespace, uid and version; what is missing, an object or a list is empty. */
  private static ObjectMeta identity(JsonNode metadata) {
    ObjectMeta identity = new ObjectMeta();
    identity.setName(metadata.path("name").asText(""));
    identity.setNamespace(metadata.path("namespace").asText(""));
    identity.setUid(metadata.path("uid").asText(""));
    identity.setResourceVersion(metadata.path("resourceVersion").asText(""));
    return identity;
  }
}
