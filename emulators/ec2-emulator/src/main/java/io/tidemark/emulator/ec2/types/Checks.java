package io.tidemark.emulator.ec2.types;

/** Refuses a component that no instance type can have, naming its column. */
final class Checks {
  private Checks() {}

  static void atLeast(int least, String column, int value) {
    holds(value >= least, column, Integer.toString(value), "at least " + least);
  }

  static void holds(boolean allowed, String column, String value, String expected) {
    if (!allowed) {
      throw new IllegalArgumentException(column + " is \"" + value + "\", not " + expected);
    }
  }
}
