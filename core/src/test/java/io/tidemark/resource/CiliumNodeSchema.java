package io.tidemark.resource;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The schema inside a custom resource definition, as a check of written objects. */
final class CiliumNodeSchema {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final JsonNode schema;
  private final JsonSchema validator;

  private CiliumNodeSchema(JsonNode schema) {
    this.schema = schema;
    this.validator = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V7).getSchema(schema);
  }

  /** Reads the text of a definition. */
  static CiliumNodeSchema of(String definitionYaml) {
    LoadSettings settings = LoadSettings.builder().setMaxAliasesForCollections(200).build();
    Object definition = new Load(settings).loadFromString(definitionYaml);
    JsonNode schema = MAPPER.valueToTree(definition).at("/spec/versions/0/schema/openAPIV3Schema");
    return new CiliumNodeSchema(schema);
  }

  /** The violations of the schema in the object. */
  List<String> violations(NodeResource resource) {
    return validator.validate(tree(resource)).stream()
        .map(ValidationMessage::getMessage)
        .sorted()
        .toList();
  }

  /** Fields of the object that the schema does not declare: an API server would drop them. */
  List<String> undeclared(NodeResource resource) {
    List<String> found = new ArrayList<>();
    undeclared("", tree(resource), schema, found);
    return found;
  }

  private static void undeclared(String path, JsonNode value, JsonNode schema, List<String> found) {
    if (value.isArray()) {
      value.forEach(each -> undeclared(path + "[]", each, schema.path("items"), found));
    }
    if (!value.isObject()) {
      return;
    }
    JsonNode properties = schema.path("properties");
    JsonNode others = schema.path("additionalProperties");
    boolean anything = properties.isMissingNode() && others.isMissingNode();
    for (Map.Entry<String, JsonNode> member : value.properties()) {
      String key = member.getKey();
      JsonNode inner = properties.has(key) ? properties.get(key) : others;
      if (!inner.isMissingNode()) {
        undeclared(path + '/' + key, member.getValue(), inner, found);
      } else if (!anything) {
        found.add(path + '/' + key);
      }
    }
  }

  private static JsonNode tree(NodeResource resource) {
    try {
      return MAPPER.readTree(NodeResourceJson.print(resource));
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }
}
