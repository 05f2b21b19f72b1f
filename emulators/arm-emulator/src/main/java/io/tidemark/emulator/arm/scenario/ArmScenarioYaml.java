package io.tidemark.emulator.arm.scenario;

import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.kit.scenario.ScenarioProblem;
import io.tidemark.emulator.kit.scenario.Tree;
import io.tidemark.emulator.kit.scenario.TreeYaml;
import io.tidemark.emulator.kit.scenario.TreeYaml.Reading;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Scenarios as YAML files (docs/arm-emulator.md). Stateless. */
public final class ArmScenarioYaml {
  private static final String REMEDY = "Write a scenario; see docs/arm-emulator.md.";

  private ArmScenarioYaml() {}

  /** Reads a file; an unreadable file is a problem too. */
  public static Reading<ArmScenario> read(Path file) {
    return TreeYaml.read(file, REMEDY, ArmScenarioReader::of);
  }

  /** Reads one scenario; {@code where} is the file name, for messages. */
  public static Reading<ArmScenario> read(String where, String text) {
    return TreeYaml.read(where, text, REMEDY, ArmScenarioReader::of);
  }

  /** The scenario that the program serves without a file: the one in examples/azure. */
  public static ArmScenario example() {
    return TreeYaml.bundled(ArmScenarioYaml.class, "arm.yaml", ArmScenarioReader::of);
  }

  /**
   * A fault of a form, whose parameters are those of a scenario's entry.
   *
   * @throws IllegalArgumentException with the first thing that is wrong
   */
  public static ArmFault fault(Map<String, String> form) {
    Map<String, Tree> fields = new LinkedHashMap<>();
    form.forEach((key, text) -> fields.put(key, new Tree.Scalar(text, 1)));
    Reading<ArmFault> read =
        TreeYaml.read("form", new Tree.Fields(fields, 1), ArmScenarioReader::fault);
    return read.scenario().orElseThrow(() -> refused(read.problems().get(0)));
  }

  private static IllegalArgumentException refused(ScenarioProblem first) {
    return new IllegalArgumentException(
        first.path()
            + " "
            + first.problem()
            + "; "
            + first.remedy().replaceFirst("^Write ", "expected ").replaceFirst("\\.$", ""));
  }
}
