package io.tidemark.emulator.ec2.admin;

import io.tidemark.emulator.ec2.pace.Ec2FaultRule;
import io.tidemark.emulator.ec2.protocol.DecimalNumber;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import io.tidemark.emulator.ec2.protocol.QueryForm;
import io.tidemark.emulator.ec2.scenario.ActionNames;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** Reads the parameters of an admin request. Immutable. */
record AdminForm(QueryForm form) {
  /**
   * Reads a form that may have these parameters and no other.
   *
   * @throws IllegalArgumentException when it has another one
   * @throws Ec2Refusal when it is no form
   */
  static AdminForm read(String text, String... known) {
    QueryForm form = QueryForm.parse(text);
    TreeSet<String> expected = new TreeSet<>(List.of(known));
    TreeSet<String> unknown = new TreeSet<>(form.parameters().keySet());
    unknown.removeAll(expected);
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException("unknown " + unknown + "; expected " + expected);
    }
    return new AdminForm(form);
  }

  String needed(String name, String expected) {
    String text = form.value(name);
    if (text.isEmpty()) {
      throw new IllegalArgumentException(name + " is missing; expected " + expected);
    }
    return text;
  }

  String text(String name, String otherwise) {
    String value = form.value(name);
    return value.isEmpty() ? otherwise : value;
  }

  /** The name of an action, or {@code *}. */
  String action(String name) {
    return known(name, needed(name, "an action's name or *"));
  }

  /** Names of actions, parted by commas. */
  Set<String> actions(String name) {
    Set<String> actions = new TreeSet<>();
    for (String each : needed(name, "names of actions parted by commas, or *").split(",", -1)) {
      actions.add(known(name, each.strip()));
    }
    return actions;
  }

  double share(String name, String otherwise) {
    String text = text(name, otherwise);
    double share = decimal(text);
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException(name + " is '" + text + "'; expected 0 to 1");
    }
    return share;
  }

  int number(String name, int otherwise) {
    String text = text(name, Integer.toString(otherwise));
    int number = whole(text);
    if (number < 0) {
      throw new IllegalArgumentException(
          name + " is '" + text + "'; expected a whole number of 0 or more");
    }
    return number;
  }

  /** The rule that a form of fault parameters describes. */
  Ec2FaultRule fault() {
    return new Ec2FaultRule(
        action("action"),
        kind(),
        new Ec2Error(
            text("code", "InternalError"),
            text("message", "An internal error has occurred"),
            status()),
        share("probability", "1"),
        number("skip", 0),
        number("times", Integer.MAX_VALUE));
  }

  private Ec2FaultRule.Kind kind() {
    String text = form.value("kind");
    String name = text.toUpperCase(Locale.ROOT).replace('-', '_');
    return Arrays.stream(Ec2FaultRule.Kind.values())
        .filter(kind -> kind.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "kind is '"
                        + text
                        + "'; expected one of "
                        + Arrays.toString(Ec2FaultRule.Kind.values())));
  }

  private int status() {
    int status = number("status", 500);
    if (status < 400 || status > 599) {
      throw new IllegalArgumentException("status is " + status + "; expected 400 to 599");
    }
    return status;
  }

  private static String known(String name, String action) {
    return ActionNames.any(action)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    name + " is '" + action + "'; expected " + ActionNames.EXPECTED));
  }

  private static double decimal(String text) {
    return DecimalNumber.fraction(text).orElse(Double.NaN);
  }

  private static int whole(String text) {
    return DecimalNumber.integer(text).orElse(-1);
  }
}
