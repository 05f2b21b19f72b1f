package io.tidemark.simulation.scenario;

import io.tidemark.emulator.kit.scenario.ScenarioProblem;
import io.tidemark.emulator.kit.scenario.TreeYaml;
import io.tidemark.emulator.kit.scenario.TreeYaml.Reading;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.file.FileErrorText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

/**
 * Scenarios as YAML files (docs/simulation.md; {@code scenario.schema.json} beside this class says
 * the same for editors). Stateless.
 */
public final class ScenarioYaml {
  private ScenarioYaml() {}

  /** Reads one scenario; {@code where} is the file name, for messages. */
  public static Reading<Scenario> read(String where, String text) {
    return TreeYaml.read(
        where, text, "Write a scenario; see docs/internals/simulation.md.", ScenarioReader::read);
  }

  /**
   * The scenario of a file.
   *
   * @throws IpamException when there is none
   */
  public static Scenario load(Path file) {
    try {
      Reading<Scenario> reading = read(file.toString(), Files.readString(file));
      return reading
          .scenario()
          .orElseThrow(
              () ->
                  new IpamException(
                      CoreError.SCENARIO_REFUSED,
                      reading.problems().stream()
                          .map(ScenarioYaml::sentence)
                          .collect(Collectors.joining("; "))));
    } catch (IOException e) {
      throw new IpamException(
          CoreError.SCENARIO_REFUSED, file + " cannot be read: " + FileErrorText.of(e), e);
    }
  }

  private static String sentence(ScenarioProblem problem) {
    return problem.where()
        + (problem.path().isEmpty() ? "" : " " + problem.path())
        + ": "
        + problem.problem();
  }

  /** The file that {@link #read} turns back into {@code scenario}. */
  public static String print(Scenario scenario) {
    return ScenarioPrinter.print(scenario);
  }

  /** The scenario that is simulated when none is named. */
  public static Scenario defaultScenario() {
    return TreeYaml.bundled(ScenarioYaml.class, "default-scenario.yaml", ScenarioReader::read);
  }
}
