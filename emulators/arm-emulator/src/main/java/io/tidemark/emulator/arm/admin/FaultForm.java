package io.tidemark.emulator.arm.admin;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.request.ArmError;
import io.tidemark.emulator.arm.request.Operation;
import io.tidemark.emulator.arm.scenario.Names;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/** Fault rules as parameters of a form and as JSON. Pure. */
final class FaultForm {
  private static final List<String> KNOWN =
      List.of(
          "operation",
          "on",
          "kind",
          "status",
          "code",
          "message",
          "retry-after",
          "probability",
          "skip",
          "times");

  private FaultForm() {}

  /**
   * The rule of a form.
   *
   * @throws IllegalArgumentException when the form is wrong
   */
  static ArmFault read(Map<String, String> form) {
    TreeSet<String> unknown = new TreeSet<>(form.keySet());
    KNOWN.forEach(unknown::remove);
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException("unknown " + unknown + "; expected " + KNOWN);
    }
    String operation = form.getOrDefault("operation", "*");
    if (!operation.equals("*") && Operation.ofTitle(operation).isEmpty()) {
      throw new IllegalArgumentException(
          "operation is '" + operation + "'; expected * or a name such as Interfaces.Get");
    }
    ArmFault.Kind[] kinds = ArmFault.Kind.values();
    String kind = needed(form, "kind", Names.all(kinds));
    return new ArmFault(
        operation,
        form.getOrDefault("on", "").toLowerCase(Locale.ROOT),
        Names.in(kinds)
            .apply(kind)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "kind is '" + kind + "'; expected " + Names.all(kinds))),
        error(form),
        decimal(form, "probability"),
        number(form, "skip", 0),
        number(form, "times", Integer.MAX_VALUE));
  }

  private static ArmError error(Map<String, String> form) {
    int status = number(form, "status", 500);
    if (status < 400 || status > 599) {
      throw new IllegalArgumentException("status is '" + status + "'; expected 400 to 599");
    }
    ArmError error =
        ArmError.of(
            status,
            form.getOrDefault("code", "InternalServerError"),
            form.getOrDefault("message", "An internal error has occurred."));
    int wait = number(form, "retry-after", 0);
    return wait == 0 ? error : error.after(Duration.ofSeconds(wait));
  }

  static String needed(Map<String, String> form, String name, String expected) {
    String text = form.getOrDefault(name, "");
    if (text.isEmpty()) {
      throw new IllegalArgumentException(name + " is missing; expected " + expected);
    }
    return text;
  }

  private static int number(Map<String, String> form, String name, int otherwise) {
    String text = form.getOrDefault(name, Integer.toString(otherwise));
    if (!text.matches("[0-9]{1,10}") || Long.parseLong(text) > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(name + " is '" + text + "'; expected a whole number");
    }
    return Integer.parseInt(text);
  }

  private static double decimal(Map<String, String> form, String name) {
    String text = form.getOrDefault(name, "1");
    if (!text.matches("[01](\\.[0-9]{1,9})?")) {
      throw new IllegalArgumentException(name + " is '" + text + "'; expected 0 to 1");
    }
    return Double.parseDouble(text);
  }

  /** The rules in force. */
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
