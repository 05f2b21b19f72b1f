package io.tidemark.emulator.ec2.scenario;

import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import io.tidemark.emulator.kit.scenario.ScenarioProblem;
import io.tidemark.emulator.kit.scenario.TreeYaml;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Scenarios as YAML files (docs/ec2-emulator.md; {@code scenario.schema.json} above this package
 * says the same for editors). Stateless.
 */
public final class Ec2ScenarioYaml {
  private static final String REMEDY = "Write a scenario; see docs/ec2-emulator.md.";

  private Ec2ScenarioYaml() {}

  /**
   * The result of reading a file: a scenario, or every problem of it.
   *
   * @param problems none exactly when there is a scenario
   */
  public record Reading(Optional<Ec2Scenario> scenario, List<ScenarioProblem> problems) {
    public Reading {
      problems = List.copyOf(problems);
    }
  }

  /** Reads a file; an unreadable file is a problem too. */
  public static Reading read(Path file, Ec2InstanceTypes types) {
    return read(TreeYaml.read(file, REMEDY), types);
  }

  /**
   * Reads one scenario.
   *
   * @param where file name, for messages
   * @param types the instance types that instances may have
   */
  public static Reading read(String where, String text, Ec2InstanceTypes types) {
    return read(TreeYaml.read(where, text, REMEDY), types);
  }

  private static Reading read(TreeYaml file, Ec2InstanceTypes types) {
    return file.tree()
        .map(tree -> Ec2ScenarioReader.read(file.where(), tree, types))
        .orElseGet(() -> new Reading(Optional.empty(), file.problems()));
  }
}
