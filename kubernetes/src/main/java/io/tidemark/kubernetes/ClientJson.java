package io.tidemark.kubernetes;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;

/**
 * How the client library reads JSON. Thread-safe.
 *
 * <p>Names of fields are not remembered: those of pools and of {@code managedFields} hold
 * addresses, so a table of them would grow with the cluster, and is copied when a name is added.
 *
 * <p>It does not search the class path for the types of all objects, of which an operator reads
 * few.
 */
final class ClientJson extends KubernetesSerialization {
  private final ObjectMapper mapper;

  ClientJson() {
    this(
        new ObjectMapper(
            JsonFactory.builder().disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES).build()));
  }

  private ClientJson(ObjectMapper mapper) {
    super(mapper, false);
    this.mapper = mapper;
    registerKubernetesResource(Status.class);
  }

  /** Each event of a watch is such a text; read as it is, without a copy of its bytes. */
  @Override
  public <T> T unmarshal(String text, Class<T> type) {
    if (!text.startsWith("{")) {
      return super.unmarshal(text, type); // may be YAML
    }
    try {
      return mapper.readValue(text, type);
    } catch (JsonProcessingException e) {
      throw KubernetesClientException.launderThrowable(e);
    }
  }
}
