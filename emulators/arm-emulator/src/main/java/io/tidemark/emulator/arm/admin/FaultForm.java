package io.tidemark.emulator.arm.admin;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.kit.scenario.Names;
import java.util.List;
import java.util.Map;

/** Parameters of forms, and the fault rules that they make. Pure. */
final class FaultForm {
  private FaultForm() {}

  static String needed(Map<String, String> form, String name, String expected) {
    String text = form.getOrDefault(name, "");
    if (text.isEmpty()) {
      throw new IllegalArgumentException(name + " is missing; expected " + expected);
    }
    return text;
  }

  static Document document(List<ArmFault> rules) {
    return Document.of(
        "faults",
        rules.stream()
            .map(
                each ->
                    Document.of("operation", each.operation())
                        .with("on", each.on())
                        .with("kind", Names.of(each.kind()))
                        .with("code", each.error().code())
                        .with("status", each.error().status())
                        .with("probability", each.probability())
                        .with("skip", each.skip())
                        .with("times", each.times()))
            .toList());
  }
}
