package io.tidemark.emulator.kit.scenario;

import io.tidemark.error.IpamException;
import io.tidemark.file.FileErrorText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
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
 * Reads scenarios from YAML: each value keeps its line, so that every problem is reported with its
 * place. Stateless.
 */
public final class TreeYaml {
  private static final int BYTES_MAX = 1 << 20;
  private static final int DEPTH_MAX = 20;

  private TreeYaml() {}

  /**
   * The result of reading a file: a scenario, or every problem of it.
   *
   * @param problems none exactly when there is a scenario
   */
  public record Reading<T>(Optional<T> scenario, List<ScenarioProblem> problems) {
    public Reading {
      problems = List.copyOf(problems);
    }

    /**
     * The scenario.
     *
     * @throws IpamException with every problem, when there is none
     */
    public T orThrow() {
      return scenario.orElseThrow(() -> ScenarioProblem.refusal(problems));
    }
  }

  /**
   * Reads a file; an unreadable file is a problem too.
   *
   * @param remedy what to do about a file that holds no scenario at all
   * @param reader gives the file its meaning
   */
  public static <T> Reading<T> read(Path file, String remedy, Function<Section, T> reader) {
    String where = file.toString();
    try {
      if (Files.size(file) > BYTES_MAX) {
        return failed(where, "the file is larger than a megabyte", remedy);
      }
      return read(where, Files.readString(file, StandardCharsets.UTF_8), remedy, reader);
    } catch (CharacterCodingException e) {
      return failed(where, "the file is not UTF-8 text", "Save it as UTF-8.");
    } catch (NoSuchFileException e) {
      return failed(where, "the file does not exist", "Name a file that does.");
    } catch (IOException e) {
      return failed(where, "the file cannot be read: " + FileErrorText.of(e), "Name another file.");
    }
  }

  /** The same of a text; {@code where} is the file name, for messages. */
  public static <T> Reading<T> read(
      String where, String text, String remedy, Function<Section, T> reader) {
    try {
      LoadSettings settings = LoadSettings.builder().setLabel(where).build();
      Optional<Node> root = new Compose(settings).composeString(text);
      return root.isEmpty()
          ? failed(where, "the file is empty", remedy)
          : read(where, tree(root.get(), 0), reader);
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
      return failed(
          where + ":" + line, "is not valid YAML: " + e.getProblem(), "Correct the line.");
    } catch (YamlEngineException e) {
      return failed(where, "is not valid YAML: " + e.getMessage(), "Correct the file.");
    }
  }

  /** The same of values that are read already. */
  public static <T> Reading<T> read(String where, Tree tree, Function<Section, T> reader) {
    List<ScenarioProblem> problems = new ArrayList<>();
    Section root = new Section(where, "", tree, problems);
    T read = reader.apply(root);
    root.end();
    return new Reading<>(problems.isEmpty() ? Optional.of(read) : Optional.empty(), problems);
  }

  /** A scenario of ours that lies beside a class. */
  public static <T> T bundled(Class<?> beside, String name, Function<Section, T> reader) {
    try (InputStream in = beside.getResourceAsStream(name)) {
      byte[] text = Objects.requireNonNull(in, name).readAllBytes();
      return read(name, new String(text, StandardCharsets.UTF_8), "", reader).orThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static <T> Reading<T> failed(String where, String problem, String remedy) {
    return new Reading<>(
        Optional.empty(), List.of(new ScenarioProblem(where, "", problem, remedy)));
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
