package io.tidemark.kubernetes.store;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.fabric8.kubernetes.api.model.DefaultKubernetesResourceList;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import io.tidemark.resource.LastWriter;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.resource.ReceivedObject;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A CiliumNode: its document without {@code managedFields}, and what those say. */
@Group("cilium.io")
@Version("v2")
@Kind("CiliumNode")
@Plural("ciliumnodes")
@JsonDeserialize(using = CiliumNodeJson.Reader.class)
final class CiliumNodeJson extends KnownObjectJson<CiliumNodeJson.Content> {
  private static final long serialVersionUID = 1L;

  private CiliumNodeJson(KnownObject<Content> known) {
    super(known);
  }

  /**
   * The kept part of the object.
   *
   * @param resource without {@code managedFields}
   * @param writes who wrote the operator's part
   */
  record Content(NodeResource resource, LastWriter writes) {}

  /** For the client library: part of a list. */
  static final class Page extends DefaultKubernetesResourceList<CiliumNodeJson> {
    private static final long serialVersionUID = 1L;
  }

  /** For the client library. Invalid values make an object with problems, never a failure. */
  static final class Reader extends JsonDeserializer<CiliumNodeJson> {
    @Override
    public CiliumNodeJson deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      return new CiliumNodeJson(
          KnownObject.of(NodeResourceJson.receive(parser), CiliumNodeJson::content));
    }
  }

  /**
   * Reads the text of an answer.
   *
   * @throws UncheckedIOException when it is not an object with a name, such as the page of a
   *     gateway
   */
  static KnownObject<Content> read(String text) {
    try {
      ReceivedObject<NodeResource> received = NodeResourceJson.receive(text);
      if (received.name().isEmpty()) {
        throw new IOException("it names no object");
      }
      return KnownObject.of(received, CiliumNodeJson::content);
    } catch (IOException e) {
      throw new UncheckedIOException("the answer is not that of an API server", e);
    }
  }

  private static Content content(NodeResource resource) {
    return new Content(
        resource.withoutManagedFields(),
        resource.writesSeenBy(KubernetesNodeResourceStore.FIELD_MANAGER));
  }
}
