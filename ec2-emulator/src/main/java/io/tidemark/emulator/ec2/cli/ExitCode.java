package io.tidemark.emulator.ec2.cli;

/** How the program ends; the numbers are published in its help. */
final class ExitCode {
  /** Ended by SIGTERM or SIGINT, or there was only a question to answer. */
  static final int DONE = 0;

  /** A defect. */
  static final int FAILURE = 1;

  /** The command line or the scenario is wrong, or a port is taken; nothing was started. */
  static final int USAGE = 2;

  private ExitCode() {}
}
