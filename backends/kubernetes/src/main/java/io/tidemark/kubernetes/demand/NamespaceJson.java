package io.tidemark.kubernetes.demand;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import java.io.IOException;

/** The fields of a Namespace that are read: its name and the annotations about pools. */
@Group("")
@Version("v1")
@Kind("Namespace")
@Plural("namespaces")
@JsonDeserialize(using = NamespaceJson.Reader.class)
final class NamespaceJson extends AnnotatedJson {
  private static final long serialVersionUID = 1L;

  private NamespaceJson(JsonNode namespace) {
    super(namespace);
  }

  /** For the client library. */
  static final class Reader extends JsonDeserializer<NamespaceJson> {
    @Override
    public NamespaceJson deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      return new NamespaceJson(context.readTree(parser));
    }
  }
}
