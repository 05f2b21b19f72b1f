package io.tidemark.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.manifests.ObjectEdit.Result;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random documents in random styles, random edits of what the operator owns. Every foreign line
 * carries a mark of its own, so that one that is lost, doubled or moved is found.
 */
@DisplayName("After any number of random edits every foreign character is there, in order")
class RandomEditsTest {
  private static final int DOCUMENTS = 15;
  private static final int EDITS = 12;
  private static final Pattern FOREIGN =
      Pattern.compile(
          " *(- )?(#|x-|name|owner|instance-id|a block|of text|annotations|kind|apiVersion|min-)");
  private static final Pattern MARK = Pattern.compile("<m[0-9]+>");

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void edits(long seed) {
    run(seed);
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(longs = {3, 4, 5, 6, 7, 8})
  void moreEdits(long seed) {
    run(seed);
  }

  private static void run(long seed) {
    Random random = new Random(seed);
    for (int document = 0; document < DOCUMENTS; document++) {
      String text = new RandomManifest(random).text();
      String label = "seed " + seed + ", document " + document;
      if (random.nextInt(4) == 0) {
        text = json(text, random);
      }
      ManifestFile file =
          ManifestFile.read(
              ManifestKind.CILIUM_NODE, text.startsWith("{") ? "n.json" : "n.yaml", text);
      assertThat(file.problems()).as(label + "\n" + text).isEmpty();
      assertThat(file.objects()).as(label + "\n" + text).isNotEmpty();
      for (int i = 0; i < EDITS; i++) {
        file = edit(file, random, label + ", edit " + i);
      }
      assertThat(foreignMarks(file.text())).as(label).isEqualTo(foreignMarks(text));
    }
  }

  /** The first object as JSON: on one line, or on many with spaces or tabs. */
  private static String json(String yaml, Random random) {
    ObjectNode tree =
        Trees.tree(Trees.json(ManifestFile.read(ManifestKind.CILIUM_NODE, "n.yaml", yaml), "n0"));
    return switch (random.nextInt(3)) {
      case 0 -> tree.toString();
      case 1 -> tree.toPrettyString();
      default -> tree.toPrettyString().replace("  ", "\t") + "\n";
    };
  }

  private static ManifestFile edit(ManifestFile file, Random random, String label) {
    ManifestObject object = file.objects().get(random.nextInt(file.objects().size()));
    OwnedPaths half =
        random.nextBoolean() ? ManifestKind.CILIUM_NODE.spec() : ManifestKind.CILIUM_NODE.status();
    String before = Trees.json(file, object.name());
    ObjectNode changed = Trees.tree(before);
    change(changed, half, random);
    ObjectEdit edit = ObjectEdit.of(object.name(), half, before, changed.toString());
    ManifestEdits made = ManifestEdits.of(file, List.of(edit));
    String shown = label + "\n" + file.text() + "\nto\n" + changed;
    assertThat(made.results().get(object.name())).as(shown).isEqualTo(new Result.Made());
    ObjectNode after = Trees.tree(Trees.json(made.file(), object.name()));
    assertThat(normal(after)).as(shown).isEqualTo(normal(changed));
    assertThat(foreignLines(made.file().text())).as(shown).isEqualTo(foreignLines(file.text()));
    return made.file();
  }

  /** Lines that hold nothing owned, whole. */
  private static List<String> foreignLines(String text) {
    return text.lines().filter(line -> FOREIGN.matcher(line).lookingAt()).toList();
  }

  private static List<String> foreignMarks(String text) {
    List<String> marks = new ArrayList<>();
    Matcher matcher = MARK.matcher(text);
    while (matcher.find()) {
      marks.add(matcher.group());
    }
    return marks;
  }

  private static void change(ObjectNode object, OwnedPaths half, Random random) {
    if (half.equals(ManifestKind.CILIUM_NODE.spec())) {
      ObjectNode ipam = child(child(object, "spec"), "ipam");
      ObjectNode pool = child(ipam, "pool");
      table(pool, random, () -> "{\"resource\":\"eni-" + random.nextInt(3) + "\"}");
      if (random.nextInt(3) == 0) {
        ipam.put("pre-allocate", 1 + random.nextInt(20));
      }
      return;
    }
    ObjectNode status = child(object, "status");
    if (random.nextBoolean()) {
      ObjectNode states = child(child(status, "ipam"), "release-ips");
      table(states, random, () -> random.nextBoolean() ? "\"released\"" : "\"marked-for-release\"");
      return;
    }
    ObjectNode enis = child(child(status, "eni"), "enis");
    String id = "eni-" + random.nextInt(3);
    if (random.nextInt(4) == 0) {
      enis.remove(id);
      return;
    }
    ObjectNode eni = child(enis, id);
    eni.put("id", id);
    Set<String> addresses = new LinkedHashSet<>();
    eni.path("addresses").forEach(each -> addresses.add(each.asText()));
    for (int i = 0; i < random.nextInt(5); i++) {
      String address = "10.0.0." + random.nextInt(9);
      if (!addresses.remove(address)) {
        addresses.add(address);
      }
    }
    eni.remove("addresses");
    addresses.forEach(eni.withArray("addresses")::add);
    if (random.nextInt(3) == 0) {
      eni.put("number", random.nextInt(4));
      child(eni, "subnet").put("cidr", "10.0.0.0/" + (16 + random.nextInt(8)));
    }
  }

  private static void table(
      ObjectNode table, Random random, java.util.function.Supplier<String> value) {
    for (int i = 0; i < 1 + random.nextInt(6); i++) {
      String address = "10.0.0." + random.nextInt(9);
      if (random.nextBoolean()) {
        table.remove(address);
      } else {
        String json = value.get();
        table.set(
            address,
            json.startsWith("{")
                ? Trees.tree(json)
                : table.textNode(json.substring(1, json.length() - 1)));
      }
    }
  }

  private static ObjectNode child(ObjectNode parent, String name) {
    return parent.get(name) instanceof ObjectNode found ? found : parent.putObject(name);
  }

  /**
   * The meaning: what is absent, null or empty is the same outside tables, order does not count.
   */
  private static String normal(JsonNode node) {
    return normal(node, 0);
  }

  private static String normal(JsonNode node, int depth) {
    if (node.isObject()) {
      List<String> members = new ArrayList<>();
      node.properties()
          .forEach(
              each -> {
                String value = normal(each.getValue(), depth + 1);
                if (depth == 3 || !value.equals("empty")) {
                  members.add(each.getKey() + "=" + value);
                }
              });
      members.sort(null);
      return members.isEmpty() ? "empty" : members.toString();
    }
    if (node.isArray()) {
      List<String> items = new ArrayList<>();
      node.forEach(each -> items.add(normal(each, depth + 4)));
      items.sort(null);
      return items.isEmpty() ? "empty" : items.toString();
    }
    return node.isNull() ? "empty" : node.toString();
  }
}
