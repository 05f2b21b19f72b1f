package io.tidemark.operator;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Refuses numbers on the command line that make no sense. */
final class Bounds {
  private Bounds() {}

  /** The value of an option, from {@code least} to {@code most}. */
  static int checked(CommandSpec command, String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new ParameterException(
          command.commandLine(),
          option + " is " + value + "; expected a number from " + least + " to " + most);
    }
    return value;
  }
}
