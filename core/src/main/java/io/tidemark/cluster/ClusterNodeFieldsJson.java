package io.tidemark.cluster;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.cluster.ClusterNode.PodCidrs;
import io.tidemark.cluster.ClusterNode.Scheduling;
import io.tidemark.resource.ParsedResource;
import io.tidemark.resource.ReceivedObject;
import io.tidemark.resource.ResourceProblem;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads the fields of one {@code v1 Node} that are of use here; used once. */
final class ClusterNodeFieldsJson {
  /** Decimal and binary suffixes of a quantity, as far as pods are counted in them. */
  private static final Map<String, Integer> UNITS =
      Map.of("k", 1000, "M", 1_000_000, "Ki", 1 << 10, "Mi", 1 << 20);

  private static final JsonFactory FACTORY = new JsonFactory();

  private final JsonParser parser;
  private final String where;
  private final List<ResourceProblem> problems = new ArrayList<>();
  private String name = "";
  private String uid = "";
  private String version = "";
  private Optional<Instant> created = Optional.empty();
  private boolean beingDeleted;
  private String first = "";
  private List<String> all = List.of();
  private String writer = "";
  private String written = "";
  private String providerId = "";
  private boolean unschedulable;
  private OptionalInt podsMax = OptionalInt.empty();
  private Optional<Boolean> networkUnavailable = Optional.empty();
  private final Map<String, String> annotations = new HashMap<>();
  private List<String> taints = List.of();
  private Optional<String> unavailableReason = Optional.empty();

  /** Reads the value of one field, at which the parser stands; ends on its last token. */
  @FunctionalInterface
  private interface Field {
    void read(String key) throws IOException;
  }

  ClusterNodeFieldsJson(JsonParser parser, String where) {
    this.parser = parser;
    this.where = where;
  }

  /** Reads the object at the parser's current token; ends on its last token. */
  ReceivedObject<ClusterNode> read() throws IOException {
    fields("", this::root);
    return new ReceivedObject<>(name, uid, version, parsed());
  }

  private ParsedResource<ClusterNode> parsed() {
    if (name.isEmpty()) {
      problem("metadata.name", "is missing", "Write the node's name there.");
    }
    if (!problems.isEmpty()) {
      return new ParsedResource.Invalid<>(
          Optional.of(name).filter(text -> !text.isEmpty()), problems);
    }
    Optional<String> by = Optional.of(writer).filter(text -> !text.isEmpty());
    return new ParsedResource.Valid<>(
        new ClusterNode(
            name,
            uid,
            version,
            created,
            beingDeleted,
            false,
            new PodCidrs(first, all, by),
            providerId,
            unschedulable,
            podsMax,
            networkUnavailable,
            annotations,
            taints.isEmpty() && unavailableReason.isEmpty()
                ? Scheduling.NONE
                : new Scheduling(taints, unavailableReason)));
  }

  private void root(String key) throws IOException {
    switch (key) {
      case "metadata" -> fields(key, this::metadata);
      case "spec" -> fields(key, this::spec);
      case "status" -> fields(key, this::status);
      default -> parser.skipChildren();
    }
  }

  private void metadata(String key) throws IOException {
    switch (key) {
      case "name" -> name = text("metadata.name");
      case "uid" -> uid = text("metadata.uid");
      case "resourceVersion" -> version = text("metadata.resourceVersion");
      case "creationTimestamp" -> created = instant(text("metadata.creationTimestamp"));
      case "deletionTimestamp" -> beingDeleted = !text("metadata.deletionTimestamp").isEmpty();
      case "annotations" -> fields("metadata.annotations", this::annotation);
      case "managedFields" -> items("metadata.managedFields", this::writes);
      default -> parser.skipChildren();
    }
  }

  private void annotation(String key) throws IOException {
    if (key.startsWith(ClusterNode.ANNOTATIONS)) {
      annotations.put(key, text("metadata.annotations." + key));
    } else {
      parser.skipChildren();
    }
  }

  /** One entry of the record of who wrote what; of several writers the latest counts. */
  private void writes(String path) throws IOException {
    Map<String, String> texts = new HashMap<>();
    boolean[] ours = new boolean[1];
    fields(
        path,
        key -> {
          if (key.equals("fieldsV1")) {
            ours[0] = hasPodCidrs();
          } else {
            texts.put(key, parser.currentToken().isScalarValue() ? parser.getText() : "");
            parser.skipChildren();
          }
        });
    String time = texts.getOrDefault("time", "");
    if (ours[0]
        && texts.getOrDefault("subresource", "").isEmpty()
        && time.compareTo(written) >= 0) {
      written = time;
      writer = texts.getOrDefault("manager", "");
    }
  }

  private boolean hasPodCidrs() throws IOException {
    boolean[] found = new boolean[1];
    fields(
        "metadata.managedFields.fieldsV1",
        key -> {
          if (key.equals("f:spec")) {
            fields(
                "metadata.managedFields.fieldsV1",
                field -> {
                  found[0] |= field.equals("f:podCIDR") || field.equals("f:podCIDRs");
                  parser.skipChildren();
                });
          } else {
            parser.skipChildren();
          }
        });
    return found[0];
  }

  private void spec(String key) throws IOException {
    switch (key) {
      case "podCIDR" -> first = text("spec.podCIDR");
      case "podCIDRs" -> {
        List<String> texts = new ArrayList<>();
        items("spec.podCIDRs", path -> texts.add(text(path)));
        all = texts;
      }
      case "providerID" -> providerId = text("spec.providerID");
      case "unschedulable" -> unschedulable = flag("spec.unschedulable");
      case "taints" -> {
        List<String> texts = new ArrayList<>();
        items("spec.taints", path -> texts.add(copy()));
        taints = texts;
      }
      default -> parser.skipChildren();
    }
  }

  private void status(String key) throws IOException {
    switch (key) {
      case "allocatable" -> fields("status.allocatable", this::allocatable);
      case "conditions" -> items("status.conditions", this::condition);
      default -> parser.skipChildren();
    }
  }

  private void allocatable(String key) throws IOException {
    if (key.equals("pods") && parser.currentToken().isScalarValue()) {
      podsMax = count(parser.getText());
    }
    parser.skipChildren();
  }

  private void condition(String path) throws IOException {
    Map<String, String> texts = new HashMap<>();
    fields(
        path,
        key -> {
          texts.put(key, parser.currentToken().isScalarValue() ? parser.getText() : "");
          parser.skipChildren();
        });
    if (texts.getOrDefault("type", "").equals("NetworkUnavailable")) {
      networkUnavailable = Optional.of(!texts.getOrDefault("status", "").equals("False"));
    }
    if (texts.getOrDefault("type", "").equals(Scheduling.CONDITION)
        && texts.getOrDefault("status", "").equals("False")) {
      unavailableReason = Optional.of(texts.getOrDefault("reason", ""));
    }
  }

  /** The value at the current token as text without spaces, so that it can be written as it was. */
  private String copy() throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = FACTORY.createGenerator(text)) {
      generator.copyCurrentStructure(parser);
    }
    return text.toString();
  }

  private void fields(String path, Field field) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      none(path, "not an object");
      return;
    }
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      parser.nextToken();
      field.read(key);
    }
  }

  private void items(String path, Field item) throws IOException {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      none(path, "not a list");
      return;
    }
    for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
      item.read(path + '[' + i + ']');
    }
  }

  private String text(String path) throws IOException {
    if (parser.currentToken() == JsonToken.VALUE_STRING) {
      return parser.getText();
    }
    none(path, "not a string");
    return "";
  }

  private boolean flag(String path) throws IOException {
    if (parser.currentToken().isBoolean()) {
      return parser.getBooleanValue();
    }
    none(path, "neither true nor false");
    return false;
  }

  /** Passes over a value that is not what it should be; null is an absent one. */
  private void none(String path, String what) throws IOException {
    if (parser.currentToken() != JsonToken.VALUE_NULL) {
      problem(path, "is " + what, "Write it as the Kubernetes API does, or leave it out.");
    }
    parser.skipChildren();
  }

  private void problem(String path, String problem, String remedy) {
    problems.add(new ResourceProblem(where, path, problem, remedy));
  }

  private static Optional<Instant> instant(String text) {
    try {
      return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  private static OptionalInt count(String quantity) {
    String unit = quantity.replaceFirst("[^a-zA-Z]*", "");
    try {
      String digits = quantity.substring(0, quantity.length() - unit.length());
      BigDecimal number =
          UNITS.containsKey(unit)
              ? new BigDecimal(digits).multiply(BigDecimal.valueOf(UNITS.get(unit)))
              : new BigDecimal(quantity);
      return OptionalInt.of(number.intValueExact());
    } catch (ArithmeticException | NumberFormatException e) {
      return OptionalInt.empty(); // no number of pods
    }
  }
}
