package io.tidemark.config;

import io.tidemark.error.CoreError;
import io.tidemark.file.FileErrorText;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * Settings as a YAML file: one key and value per line. A value may also be a list, or a map of one
 * level; both become the text that the command line would take: a map {@code name=value} items, or
 * a JSON object where these could be misread. Stateless.
 */
public final class ConfigYaml {
  private static final int MAX_BYTES = 1 << 20;

  private final String where;
  private final ConfigProblems problems;
  private final List<Setting> settings = new ArrayList<>();

  private ConfigYaml(String where, ConfigProblems problems) {
    this.where = where;
    this.problems = problems;
  }

  /** The settings of a file, in its order; whatever cannot be read is a problem. */
  public static List<Setting> read(Path file, ConfigProblems problems) {
    return text(file, problems)
        .map(text -> read(file.toString(), text, problems))
        .orElse(List.of());
  }

  /** The text of a file of settings, whatever its form; empty, with a problem, when unreadable. */
  public static Optional<String> text(Path file, ConfigProblems problems) {
    return text(file, CoreError.CONFIG_UNREADABLE.remedy(), problems);
  }

  static Optional<String> text(Path file, String remedy, ConfigProblems problems) {
    String problem;
    try {
      if (Files.size(file) <= MAX_BYTES) {
        return Optional.of(Files.readString(file, StandardCharsets.UTF_8));
      }
      problem = "is larger than a megabyte";
    } catch (CharacterCodingException e) {
      problem = "is not UTF-8 text";
    } catch (NoSuchFileException e) {
      problem = "does not exist";
    } catch (IOException e) {
      problem = "cannot be read: " + FileErrorText.of(e);
    }
    problems.add(ConfigProblem.unreadable(file.toString(), problem, remedy));
    return Optional.empty();
  }

  /**
   * The settings of a text.
   *
   * @param where its file name, for messages
   */
  public static List<Setting> read(String where, String text, ConfigProblems problems) {
    ConfigYaml reader = new ConfigYaml(where, problems);
    try {
      LoadSettings settings = LoadSettings.builder().setLabel(where).build();
      Optional<Node> root = new Compose(settings).composeString(text);
      root.ifPresent(reader::document);
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(0);
      reader.unreadable(line, "is not valid YAML: " + e.getProblem());
    } catch (YamlEngineException e) {
      reader.unreadable(0, "is not valid YAML: " + e.getMessage());
    }
    return List.copyOf(reader.settings);
  }

  /** A map of texts in the flow style, which JSON is a part of; empty when it is none. */
  static Optional<Map<String, String>> texts(String text) {
    try {
      Optional<Node> root = new Compose(LoadSettings.builder().build()).composeString(text);
      return root.flatMap(node -> node instanceof MappingNode map ? texts(map) : Optional.empty());
    } catch (YamlEngineException e) {
      return Optional.empty();
    }
  }

  private static Optional<Map<String, String>> texts(MappingNode mapping) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (NodeTuple pair : mapping.getValue()) {
      if (!(pair.getKeyNode() instanceof ScalarNode name)
          || !(pair.getValueNode() instanceof ScalarNode value)
          || name.getValue().isEmpty()
          || texts.put(name.getValue(), value.getValue()) != null) {
        return Optional.empty();
      }
    }
    return Optional.of(Collections.unmodifiableMap(texts));
  }

  private void document(Node root) {
    if (!(root instanceof MappingNode mapping)) {
      if (!isNull(root)) {
        unreadable(line(root), "holds no keys at its top level");
      }
      return;
    }
    for (NodeTuple each : mapping.getValue()) {
      if (each.getKeyNode() instanceof ScalarNode key) {
        Optional<String> value = value(key.getValue(), each.getValueNode());
        value.ifPresent(text -> settings.add(new Setting(key.getValue(), text, at(line(key)))));
      } else {
        unreadable(line(each.getKeyNode()), "has a key that is not a string");
      }
    }
  }

  private Optional<String> value(String key, Node node) {
    if (node instanceof ScalarNode scalar) {
      return Optional.of(isNull(scalar) ? "" : scalar.getValue());
    }
    Optional<String> text =
        node instanceof SequenceNode sequence
            ? list(sequence)
            : texts((MappingNode) node).map(ConfigYaml::written);
    if (text.isEmpty()) {
      problems.add(
          new ConfigProblem(
              CoreError.CONFIG_INVALID_VALUE,
              key,
              "",
              at(line(node)),
              "is neither a list of plain texts without commas nor a map of names to plain texts",
              "Write a list of texts, or a map of names to texts, each name once."));
    }
    return text;
  }

  private static Optional<String> list(SequenceNode sequence) {
    List<String> items = new ArrayList<>();
    for (Node item : sequence.getValue()) {
      if (!(item instanceof ScalarNode scalar) || scalar.getValue().contains(",")) {
        return Optional.empty();
      }
      items.add(scalar.getValue());
    }
    return Optional.of(String.join(",", items));
  }

  /** A map as the command line takes it. */
  private static String written(Map<String, String> map) {
    boolean plain =
        map.entrySet().stream()
            .noneMatch(
                each ->
                    each.getKey().contains("=") || (each.getKey() + each.getValue()).contains(","));
    return plain
        ? map.entrySet().stream()
            .map(each -> each.getKey() + "=" + each.getValue())
            .collect(Collectors.joining(","))
        : map.entrySet().stream()
            .map(each -> quoted(each.getKey()) + ": " + quoted(each.getValue()))
            .collect(Collectors.joining(", ", "{", "}"));
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each == '"' || each == '\\') {
        quoted.append('\\').append(each);
      } else if (each < ' ') {
        quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) each));
      } else {
        quoted.append(each);
      }
    }
    return quoted.append('"').toString();
  }

  private static boolean isNull(Node node) {
    return node.getTag().equals(Tag.NULL);
  }

  private static int line(Node node) {
    return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(0);
  }

  private String at(int line) {
    return line == 0 ? where : where + ":" + line;
  }

  private void unreadable(int line, String problem) {
    problems.add(ConfigProblem.unreadable(at(line), problem, CoreError.CONFIG_UNREADABLE.remedy()));
  }
}
