package io.tidemark.emulator.kit.scenario;

import io.tidemark.file.FileErrorText;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
 * A YAML file as it was written: its tree, or why there is none.
 *
 * @param where the file name, for messages
 * @param tree empty exactly when there are problems
 */
public record TreeYaml(String where, Optional<Tree> tree, List<ScenarioProblem> problems) {
  private static final int BYTES_MAX = 1 << 20;
  private static final int DEPTH_MAX = 20;

  public TreeYaml {
    problems = List.copyOf(problems);
  }

  /**
   * Reads a file; an unreadable file is a problem too.
   *
   * @param remedy what to do about a file that holds no scenario at all
   */
  public static TreeYaml read(Path file, String remedy) {
    String where = file.toString();
    try {
      if (Files.size(file) > BYTES_MAX) {
        return failed(where, "the file is larger than a megabyte", remedy);
      }
      return read(where, Files.readString(file, StandardCharsets.UTF_8), remedy);
    } catch (CharacterCodingException e) {
      return failed(where, "the file is not UTF-8 text", "Save it as UTF-8.");
    } catch (NoSuchFileException e) {
      return failed(where, "the file does not exist", "Name a file that does.");
    } catch (IOException e) {
      return failed(where, "the file cannot be read: " + FileErrorText.of(e), "Name another file.");
    }
  }

  /** Reads a text; {@code remedy} as in {@link #read(Path, String)}. */
  public static TreeYaml read(String where, String text, String remedy) {
    try {
      LoadSettings settings = LoadSettings.builder().setLabel(where).build();
      Optional<Node> root = new Compose(settings).composeString(text);
      return root.isEmpty()
          ? failed(where, "the file is empty", remedy)
          : new TreeYaml(where, Optional.of(tree(root.get(), 0)), List.of());
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
      return failed(
          where + ":" + line, "is not valid YAML: " + e.getProblem(), "Correct the line.");
    } catch (YamlEngineException e) {
      return failed(where, "is not valid YAML: " + e.getMessage(), "Correct the file.");
    }
  }

  private static TreeYaml failed(String where, String problem, String remedy) {
    return new TreeYaml(
        where, Optional.empty(), List.of(new ScenarioProblem(where, "", problem, remedy)));
  }

  private static Tree tree(Node node, int depth) {
    int line = node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
    if (depth > DEPTH_MAX) {
      throw new YamlEngineException("nested deeper than 20 levels at line " + line);
    }
    if (node instanceof ScalarNode scalar) {
      boolean none = scalar.getTag().equals(Tag.NULL);
      return new Tree.Scalar(none ? "" : scalar.getValue(), line);
    }
    if (node instanceof SequenceNode sequence) {
      List<Tree> items = new ArrayList<>();
      for (Node each : sequence.getValue()) {
        items.add(tree(each, depth + 1));
      }
      return new Tree.Items(items, line);
    }
    Map<String, Tree> fields = new LinkedHashMap<>();
    for (NodeTuple each : ((MappingNode) node).getValue()) {
      if (!(each.getKeyNode() instanceof ScalarNode key)) {
        throw new YamlEngineException("a key that is not a string at line " + line);
      }
      if (fields.put(key.getValue(), tree(each.getValueNode(), depth + 1)) != null) {
        throw new YamlEngineException("key " + key.getValue() + " twice at line " + line);
      }
    }
    return new Tree.Fields(fields, line);
  }
}
