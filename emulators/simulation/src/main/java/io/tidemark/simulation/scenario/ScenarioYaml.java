package io.tidemark.simulation.scenario;

import io.tidemark.emulator.kit.scenario.ScenarioProblem;
import io.tidemark.emulator.kit.scenario.TreeYaml;
import io.tidemark.resource.ResourceProblem;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

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
    TreeYaml file =
        TreeYaml.read(where, text, "Write a scenario; see docs/internals/simulation.md.");
    return file.tree()
        .map(tree -> ScenarioReader.read(where, tree))
        .orElseGet(() -> failed(file.problems()));
  }

  static Reading failed(List<ScenarioProblem> problems) {
    return new Reading(
        Optional.empty(),
        problems.stream()
            .map(it -> new ResourceProblem(it.where(), it.path(), it.problem(), it.remedy()))
            .toList());
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
}
