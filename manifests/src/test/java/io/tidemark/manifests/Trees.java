package io.tidemark.manifests;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Makes up changes of objects for tests, on JSON trees that the code under test does not know. */
final class Trees {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Trees() {}

  static ObjectEdit edit(ManifestFile file, String name, OwnedPaths half, List<String> lines) {
    String original = json(file, name);
    ObjectNode changed = tree(original);
    for (String line : lines) {
      String path = line.substring(0, line.indexOf(" :"));
      String value = line.substring(path.length() + 3).strip();
      set(changed, half.root() + "." + path, line.contains(":=") ? value : "");
    }
    return ObjectEdit.of(name, half, original, changed.toString());
  }

  static String json(ManifestFile file, String name) {
    ManifestObject object = file.objects().get(file.index().getOrDefault(name, -1));
    try {
      return MarkedJson.print(object.node(), Integer.MAX_VALUE);
    } catch (TextFault e) {
      throw new AssertionError(e);
    }
  }

  static ObjectNode tree(String json) {
    try {
      return (ObjectNode) MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      throw new AssertionError(json, e);
    }
  }

  /** Sets a value by the path of its keys, where no key but the last holds a dot. */
  private static void set(ObjectNode root, String path, String json) {
    String[] keys = path.split("\\.", 4);
    ObjectNode node = root;
    for (int i = 0; i < keys.length - 1; i++) {
      JsonNode next = node.get(keys[i]);
      node = next instanceof ObjectNode object ? object : node.putObject(keys[i]);
    }
    String last = keys[keys.length - 1];
    if (last.startsWith("eni-") && last.contains(".")) {
      String[] two = last.split("\\.", 2);
      JsonNode next = node.get(two[0]);
      node = next instanceof ObjectNode object ? object : node.putObject(two[0]);
      last = two[1];
    }
    if (json.isEmpty()) {
      node.remove(last);
      return;
    }
    try {
      node.set(last, MAPPER.readTree(json));
    } catch (JsonProcessingException e) {
      throw new AssertionError(json, e);
    }
  }
}
