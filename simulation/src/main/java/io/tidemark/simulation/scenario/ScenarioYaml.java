package io.tidemark.simulation.scenario;

import io.tidemark.resource.ResourceProblem;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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
 * Scenarios as YAML files (docs/simulation.md; {@code scenario.schema.json} beside this class says
 * the same for editors). Stateless.
 */
public final class ScenarioYaml {
  private static final String DEFAULT = "default-scenario.yaml";

  private ScenarioYaml() {}

  /**
   * The result of reading a file: a scenario, or every problem of it.
   *
   * @param problems none exactly when there is a scenario
   */
  public record Reading(Optional<Scenario> scenario, List<ResourceProblem> problems) {
    public Reading {
      problems = List.copyOf(problems);
    }
  }

  /**
   * Reads one scenario.
   *
   * @param where file name, for messages
   */
  public static Reading read(String where, String text) {
    Tree tree;
    try {
      LoadSettings settings =
          LoadSettings.builder().setLabel(where).setAllowDuplicateKeys(false).build();
      Optional<Node> root = new Compose(settings).composeString(text);
      if (root.isEmpty()) {
        return failed(
            where, "the file is empty", "Write a scenario; see docs/internals/simulation.md.");
      }
      tree = tree(root.get(), 0);
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
      return failed(
          where + ":" + line, "is not valid YAML: " + e.getProblem(), "Correct the line.");
    } catch (YamlEngineException e) {
      return failed(where, "is not valid YAML: " + e.getMessage(), "Correct the file.");
    }
    return ScenarioReader.read(where, tree);
  }

  private static Reading failed(String where, String problem, String remedy) {
    return new Reading(Optional.empty(), List.of(new ResourceProblem(where, "", problem, remedy)));
  }

  /** The file that {@link #read} turns back into {@code scenario}. */
  public static String print(Scenario scenario) {
    return ScenarioPrinter.print(scenario);
  }

  /** The scenario that is simulated when none is named. */
  public static Scenario defaultScenario() {
    try (InputStream in = ScenarioYaml.class.getResourceAsStream(DEFAULT)) {
      if (in == null) {
        throw new IllegalStateException(DEFAULT + " is missing from the jar");
      }
      Reading reading = read(DEFAULT, new String(in.readAllBytes(), StandardCharsets.UTF_8));
      return reading
          .scenario()
          .orElseThrow(() -> new IllegalStateException(DEFAULT + ": " + reading.problems()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Tree tree(Node node, int depth) {
    int line = node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
    if (depth > 20) {
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
