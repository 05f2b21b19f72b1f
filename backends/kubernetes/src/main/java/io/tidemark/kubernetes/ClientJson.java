package io.tidemark.kubernetes;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
  private static final String OBJECT = "object";

  /** Up to the second field of the object, if its type comes before it. */
  private static final int TOKENS_OF_TYPE = 9;

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

  /**
   * Each event of a watch is such a text: read as it is, without a copy of its bytes, and its
   * object without a tree in between.
   */
  @Override
  public <T> T unmarshal(String text, Class<T> type) {
    if (!text.startsWith("{")) {
      return super.unmarshal(text, type); // may be YAML
    }
    try {
      if (type == WatchEvent.class) {
        Class<?> objects = typeOfObject(text);
        if (objects != null) {
          return type.cast(event(text, objects));
        }
      }
      return mapper.readValue(text, type);
    } catch (IOException e) {
      throw KubernetesClientException.launderThrowable(e);
    }
  }

  /** The type of an event's object; null when its first fields are not those of a known one. */
  private @Nullable Class<?> typeOfObject(String event) throws IOException {
    Map<String, String> first = new HashMap<>();
    try (JsonParser parser = mapper.createParser(event)) {
      for (int i = 0; i < TOKENS_OF_TYPE; i++) {
        if (parser.nextToken() == JsonToken.VALUE_STRING) {
          JsonStreamContext parent = parser.getParsingContext().getParent();
          if (OBJECT.equals(parent.getCurrentName()) && parent.getParent().inRoot()) {
            first.put(parser.currentName(), parser.getText());
          }
        }
      }
    }
    String apiVersion = first.get("apiVersion");
    String kind = first.get("kind");
    return apiVersion == null || kind == null
        ? null
        : getRegisteredKubernetesResource(apiVersion, kind);
  }

  private WatchEvent event(String text, Class<?> objects) throws IOException {
    WatchEvent event = new WatchEvent();
    try (JsonParser parser = mapper.createParser(text)) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String field = parser.currentName();
        parser.nextToken();
        if (field.equals(OBJECT)) {
          event.setObject(mapper.readValue(parser, objects));
        } else if (field.equals("type")) {
          event.setType(parser.getText());
        } else {
          parser.skipChildren();
        }
      }
    }
    return event;
  }
}
