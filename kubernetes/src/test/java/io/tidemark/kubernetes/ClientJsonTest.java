package io.tidemark.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The JSON of the client library is read")
class ClientJsonTest {
  private static final String NODE =
      """
      {"kind":"Node","apiVersion":"v1","metadata":{"name":"n1"},"spec":{"podCIDRs":["10.0.0.0/24"]}}
      """;

  private final KubernetesSerialization json = new ClientJson();

  @Test
  @DisplayName("as the library itself reads it: objects, events of a watch, and YAML")
  void same() {
    KubernetesSerialization usual = new KubernetesSerialization();
    json.registerKubernetesResource(Node.class);
    String event = "{\"type\":\"MODIFIED\",\"object\":" + NODE + "}";
    String yaml = "kind: Node\napiVersion: v1\nmetadata: {name: n1}\n";

    assertThat(json.unmarshal(NODE, Node.class)).isEqualTo(usual.unmarshal(NODE, Node.class));
    assertThat(json.unmarshal(event, WatchEvent.class))
        .isEqualTo(usual.unmarshal(event, WatchEvent.class));
    assertThat(json.unmarshal(yaml, Node.class)).isEqualTo(usual.unmarshal(yaml, Node.class));
  }

  @Test
  @DisplayName("so that the error of a watch is a status, with its code")
  void error() {
    String event =
        """
        {"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","reason":"Expired","code":410}}
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
