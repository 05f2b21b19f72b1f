package io.tidemark.kubernetes.store;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import io.tidemark.kubernetes.InformerObjectJson;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.resource.OperatorWrites;
import io.tidemark.resource.ParsedResource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/**
 * A CiliumNode for the client library's informer: our own document, and the metadata that an
 * informer needs. It is read, never sent.
 */
@Group("cilium.io")
@Version("v2")
@Kind("CiliumNode")
@Plural("ciliumnodes")
@JsonDeserialize(using = CiliumNodeJson.Reader.class)
final class CiliumNodeJson extends InformerObjectJson {
  private static final long serialVersionUID = 1L;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final transient ParsedResource<NodeResource> parsed;
  private final transient OperatorWrites writes;

  CiliumNodeJson(ObjectMeta metadata, ParsedResource<NodeResource> parsed, OperatorWrites writes) {
    super(metadata);
    this.parsed = parsed;
    this.writes = writes;
  }

  /**
   * What is kept of it.
   *
   * @param resource without {@code managedFields}
   * @param writes who wrote the operator's part
   */
  record Content(NodeResource resource, OperatorWrites writes) {}

  /** This version. */
  KnownObject<Content> known() {
    Optional<Content> content =
        parsed.match(
            resource -> Optional.of(new Content(resource, writes)), invalid -> Optional.empty());
    return new KnownObject<>(
        getMetadata().getName(),
        getMetadata().getResourceVersion(),
        getMetadata().getUid(),
        content,
        parsed.match(resource -> List.of(), ParsedResource.Invalid::problems),
        false);
  }

  /** For the client library. Invalid values make an object with problems, never a failure. */
  static final class Reader extends JsonDeserializer<CiliumNodeJson> {
    @Override
    public CiliumNodeJson deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      JsonNode tree = context.readTree(parser);
      return read(tree);
    }
  }

  /**
   * Reads the text of an answer.
   *
   * @throws UncheckedIOException when it is not an object with a name, such as the page of a
   *     gateway
   */
  static CiliumNodeJson read(String text) {
    try {
      JsonNode tree = MAPPER.readTree(text);
      if (tree.path("metadata").path("name").asText().isEmpty()) {
        throw new IOException("it names no object");
      }
      return read(tree);
    } catch (IOException e) {
      throw new UncheckedIOException("the answer is not that of an API server", e);
    }
  }

  private static CiliumNodeJson read(JsonNode tree) throws IOException {
    ObjectMeta metadata = identity(tree.path("metadata"));
    ParsedResource<NodeResource> parsed;
    try (JsonParser parser = tree.traverse()) {
      parsed = NodeResourceJson.parse(parser, "CiliumNode " + metadata.getName());
    }
    if (parsed instanceof ParsedResource.Valid<NodeResource> valid) {
      NodeResource resource = valid.resource();
      return new CiliumNodeJson(
          metadata,
          new ParsedResource.Valid<>(resource.withoutManagedFields()),
          resource.writesSeenBy(KubernetesNodeResourceStore.FIELD_MANAGER));
    }
    return new CiliumNodeJson(metadata, parsed, OperatorWrites.NONE);
  }
}
