package io.tidemark.program;

/** How a command ends; the numbers are published. */
public enum ExitCode {
  /** Everything is done. */
  DONE(0),
  /** It did not work, or a simulation found a violation. */
  FAILURE(1),
  /** The command line or the configuration is wrong; nothing was done. */
  USAGE(2),
  /** Done, but something needs human action or files were refused; the report says why. */
  BLOCKED(3),
  /** Not finished within {@code --timeout}. */
  TIMEOUT(4);

  private final int number;

  ExitCode(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }
}
