package io.tidemark.emulator.arm.scenario;

import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.kit.scenario.ScenarioProblem;
import io.tidemark.emulator.kit.scenario.Section;
import io.tidemark.emulator.kit.scenario.Tree;
import io.tidemark.emulator.kit.scenario.TreeYaml;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Scenarios as YAML files (docs/arm-emulator.md). Stateless. */
public final class ArmScenarioYaml {
  private static final String REMEDY = "Write a scenario; see docs/arm-emulator.md.";

  private ArmScenarioYaml() {}

  /**
   * The result of reading a file: a scenario, or every problem of it.
   *
   * @param problems none exactly when there is a scenario
   */
  public record Reading(Optional<ArmScenario> scenario, List<ScenarioProblem> problems) {
    public Reading {
      problems = List.copyOf(problems);
    }
  }

  /** Reads a file; an unreadable file is a problem too. */
  public static Reading read(Path file) {
    return read(TreeYaml.read(file, REMEDY));
  }

  /**
   * Reads one scenario.
   *
   * @param where file name, for messages
   */
  public static Reading read(String where, String text) {
    return read(TreeYaml.read(where, text, REMEDY));
  }

  /** The scenario that the program serves without a file: the one in examples/azure. */
  public static ArmScenario example() {
    try (InputStream in = ArmScenarioYaml.class.getResourceAsStream("arm.yaml")) {
      byte[] text = Objects.requireNonNull(in, "arm.yaml").readAllBytes();
      return read("arm.yaml", new String(text, StandardCharsets.UTF_8)).scenario().orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A fault of a form, whose parameters are those of a scenario's entry.
   *
   * @throws IllegalArgumentException with the first thing that is wrong
   */
  public static ArmFault fault(Map<String, String> form) {
    Map<String, Tree> fields = new LinkedHashMap<>();
    form.forEach((key, text) -> fields.put(key, new Tree.Scalar(text, 1)));
    List<ScenarioProblem> problems = new ArrayList<>();
    Section section = new Section("form", "", new Tree.Fields(fields, 1), problems);
    ArmFault fault = ArmScenarioReader.fault(section);
    section.end();
    if (!problems.isEmpty()) {
      ScenarioProblem first = problems.get(0);
      throw new IllegalArgumentException(
          first.path()
              + " "
              + first.problem()
              + "; "
              + first.remedy().replaceFirst("^Write ", "expected ").replaceFirst("\\.$", ""));
    }
    return fault;
  }

  private static Reading read(TreeYaml file) {
    return file.tree()
        .map(tree -> ArmScenarioReader.read(file.where(), tree))
        .orElseGet(() -> new Reading(Optional.empty(), file.problems()));
  }
}
