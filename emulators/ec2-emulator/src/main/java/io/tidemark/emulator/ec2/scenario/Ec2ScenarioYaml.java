package io.tidemark.emulator.ec2.scenario;

import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import io.tidemark.emulator.kit.scenario.TreeYaml;
import io.tidemark.emulator.kit.scenario.TreeYaml.Reading;
import java.nio.file.Path;

/**
 * Scenarios as YAML files (docs/ec2-emulator.md; {@code scenario.schema.json} above this package
 * says the same for editors). Stateless.
 */
public final class Ec2ScenarioYaml {
  private static final String REMEDY = "Write a scenario; see docs/ec2-emulator.md.";

  private Ec2ScenarioYaml() {}

  /** Reads a file; an unreadable file is a problem too. */
  public static Reading<Ec2Scenario> read(Path file, Ec2InstanceTypes types) {
    return TreeYaml.read(file, REMEDY, Ec2ScenarioReader.of(types));
  }

  /**
   * Reads one scenario.
   *
   * @param where file name, for messages
   * @param types the instance types that instances may have
   */
  public static Reading<Ec2Scenario> read(String where, String text, Ec2InstanceTypes types) {
    return TreeYaml.read(where, text, REMEDY, Ec2ScenarioReader.of(types));
  }
}
