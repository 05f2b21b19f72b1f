package io.tidemark.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.json.ReaderBasedJsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The JSON of the client library is read")
class ClientJsonTest {
  private static final String NODE =
      """
      {"kind":"Node","apiVersion":"v1","metadata":{"name":"n1"},"spec":{"podCIDRs":["10.0.0.0/24"]}}
      """;

  private final KubernetesSerialization json = new ClientJson();

  @Test
  @DisplayName("as the library itself reads it: objects and YAML")
  void same() {
    KubernetesSerialization usual = new KubernetesSerialization();
    json.registerKubernetesResource(Node.class);
    String yaml = "kind: Node\napiVersion: v1\nmetadata: {name: n1}\n";

    assertThat(json.unmarshal(NODE, Node.class)).isEqualTo(usual.unmarshal(NODE, Node.class));
    assertThat(json.unmarshal(yaml, Node.class)).isEqualTo(usual.unmarshal(yaml, Node.class));
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "{'type':'MODIFIED','object':NODE}",
        "{'object':NODE,'type':'DELETED'}",
        "{'type':'ADDED','object':NODE,'more':{'type':'x'}}",
        "{'more':'of it','type':'ADDED','object':NODE}",
        "{'type':'ADDED','object':{'metadata':{'name':'n1'},'kind':'Node','apiVersion':'v1'}}",
        "{'type':'BOOKMARK','object':{'apiVersion':'v1','kind':'Node','metadata':{}}}",
        "{'type':'ADDED','object':{'apiVersion':'a/v1','kind':'Other','metadata':{'name':'n1'}}}",
        "{'type':'ADDED'}",
        "{'type':'ADDED','object':null}"
      })
  @DisplayName("as the library itself reads it: events of a watch")
  void events(String quoted) {
    KubernetesSerialization usual = new KubernetesSerialization();
    json.registerKubernetesResource(Node.class);
    String event = quoted.replace("NODE", NODE).replace('\'', '"');

    assertThat(json.unmarshal(event, WatchEvent.class).getObject())
        .isEqualTo(usual.unmarshal(event, WatchEvent.class).getObject());
    assertThat(json.unmarshal(event, WatchEvent.class).getType())
        .isEqualTo(usual.unmarshal(event, WatchEvent.class).getType());
  }

  @Test
  @DisplayName("so that an object of a watch is read from the text, without a tree in between")
  void streamed() {
    json.registerKubernetesResource("a/v1", "Streamed", Streamed.class);
    String event =
        """
        {"type":"ADDED","object":{"apiVersion":"a/v1","kind":"Streamed","metadata":{}}}
        """;

    assertThat(json.unmarshal(event, WatchEvent.class).getObject())
        .isInstanceOfSatisfying(
            Streamed.class, it -> assertThat(it.parser).isInstanceOf(ReaderBasedJsonParser.class));
  }

  @JsonDeserialize(using = StreamedReader.class)
  static final class Streamed implements KubernetesResource {
    private static final long serialVersionUID = 1L;

    private final transient JsonParser parser;

    Streamed(JsonParser parser) {
      this.parser = parser;
    }
  }

  static final class StreamedReader extends JsonDeserializer<Streamed> {
    @Override
    public Streamed deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      parser.skipChildren();
      return new Streamed(parser);
    }
  }

  @Test
  @DisplayName("so that the error of a watch is a status, with its code")
  void error() {
    json.registerKubernetesResource(Node.class);
    String event =
        """
        {"x":{"object":{"apiVersion":"v1","kind":"Node"}},
         "type":"ERROR",
         "object":{"kind":"Status","apiVersion":"v1","reason":"Expired","code":410}}
        """;

    assertThat(json.unmarshal(event, WatchEvent.class).getObject())
        .isInstanceOfSatisfying(
            Status.class, status -> assertThat(status.getCode()).isEqualTo(410));
  }

  @Test
  @DisplayName("with the library's failure when it is cut off")
  void cutOff() {
    assertThatThrownBy(() -> json.unmarshal("{\"kind\":\"No", Node.class))
        .isInstanceOf(KubernetesClientException.class);
  }

  @Test
  @DisplayName("without a table of the names of fields, which hold addresses")
  void names() {
    String pool = "{\"10.0.0.1\":{}}";
    Object first = json.unmarshal(pool, Map.class).keySet().iterator().next();
    Object second = json.unmarshal(pool, Map.class).keySet().iterator().next();

    assertThat(second).isEqualTo(first).isNotSameAs(first);
  }
}
