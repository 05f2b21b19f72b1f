package io.tidemark.kubernetes.demand;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import java.io.IOException;

/**
 * The fields of a Pod that are read: who it is, where it runs, whether it has an address, and the
 * annotations about pools. The client library's own type needs hundreds of classes.
 */
@Group("")
@Version("v1")
@Kind("Pod")
@Plural("pods")
@JsonDeserialize(using = PodJson.Reader.class)
final class PodJson extends AnnotatedJson implements Namespaced {
  private static final long serialVersionUID = 1L;

  private final transient String node;
  private final transient boolean pending;
  private final transient boolean hostNetwork;
  private final transient boolean address;

  private PodJson(JsonNode pod) {
    super(pod);
    this.node = pod.path("spec").path("nodeName").asText("");
    this.pending = pod.path("status").path("phase").asText("").equals("Pending");
    this.hostNetwork = pod.path("spec").path("hostNetwork").asBoolean();
    this.address = !pod.path("status").path("podIP").asText("").isEmpty();
  }

  /** {@code namespace/name}. */
  String fullName() {
    return getMetadata().getNamespace() + "/" + getMetadata().getName();
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

  /** Whether its kubelet has told its address. */
  boolean hasAddress() {
    return address;
  }

  /** For the client library. A text that is missing, or an object or a list, is empty. */
  static final class Reader extends JsonDeserializer<PodJson> {
    @Override
    public PodJson deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      return new PodJson(context.readTree(parser));
    }
  }
}
