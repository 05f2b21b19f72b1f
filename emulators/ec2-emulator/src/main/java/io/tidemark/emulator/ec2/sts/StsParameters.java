package io.tidemark.emulator.ec2.sts;

import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.QueryForm;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads the parameters of one request and gathers every constraint that they break, as STS reports
 * them: all in one ValidationError. Used by one thread.
 */
final class StsParameters {
  /** Of the protocol itself; presigned requests carry their signature here too. */
  private static final Set<String> PROTOCOL = Set.of("Action", "Version");

  private final QueryForm form;
  private final List<String> broken = new ArrayList<>();

  /**
   * Looks at a request.
   *
   * @param known names of parameters, or of lists and structures, that the action has
   * @throws Ec2Refusal when it has another one
   */
  StsParameters(QueryForm form, Set<String> known) {
    this.form = form;
    for (String name : form.parameters().keySet()) {
      String first = name.contains(".") ? name.substring(0, name.indexOf('.')) : name;
      if (!known.contains(first) && !PROTOCOL.contains(name) && !name.startsWith("X-Amz-")) {
        throw Ec2Refusal.of("UnknownParameter", "The parameter " + name + " is not recognized");
      }
    }
  }

  /** A text that must be there, within these bounds. */
  String needed(String name, int shortest, int longest, Pattern pattern) {
    Optional<String> text = optional(name, shortest, longest, pattern);
    if (text.isEmpty()) {
      broken.add(
          "Value null at '"
              + Field.spoken(name)
              + "' failed to satisfy constraint: Member must"
              + " not be null");
    }
    return text.orElse("");
  }

  /** A text within these bounds; empty when it was not sent. */
  Optional<String> optional(String name, int shortest, int longest, Pattern pattern) {
    if (!form.parameters().containsKey(name)) {
      return Optional.empty();
    }
    String text = form.value(name);
    if (!pattern.matcher(text).matches()) {
      fail(name, text, "satisfy regular expression pattern: " + pattern.pattern());
    }
    if (text.length() < shortest) {
      fail(name, text, "have length greater than or equal to " + shortest);
    }
    if (text.length() > longest) {
      fail(name, text, "have length less than or equal to " + longest);
    }
    return Optional.of(text);
  }

  /** A number within these bounds. */
  int number(String name, int otherwise, int least, int most) {
    String text = form.value(name);
    if (text.isEmpty()) {
      return otherwise;
    }
    if (!text.matches("-?[0-9]{1,9}")) {
      fail(name, text, "be a number");
      return otherwise;
    }
    int number = Integer.parseInt(text);
    if (number < least) {
      fail(name, text, "have value greater than or equal to " + least);
    }
    if (number > most) {
      fail(name, text, "have value less than or equal to " + most);
    }
    return number;
  }

  /**
   * Ends the reading.
   *
   * @throws Ec2Refusal when any constraint was broken
   */
  void check() {
    if (!broken.isEmpty()) {
      throw StsErrors.validation(
          String.format(
              Locale.ROOT,
              "%d validation error%s detected: %s",
              broken.size(),
              broken.size() == 1 ? "" : "s",
              String.join("; ", broken)));
    }
  }

  private void fail(String name, String value, String constraint) {
    broken.add(
        "Value '"
            + value
            + "' at '"
            + Field.spoken(name)
            + "' failed to satisfy constraint: Member must "
            + constraint);
  }
}
