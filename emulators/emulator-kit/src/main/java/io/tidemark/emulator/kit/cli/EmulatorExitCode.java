package io.tidemark.emulator.kit.cli;

/** How the program ends; the numbers are published in its help. */
public final class EmulatorExitCode {
  /** Ended by SIGTERM or SIGINT, or there was only a question to answer. */
  public static final int DONE = 0;

  /** A defect. */
  public static final int FAILURE = 1;

  /** The command line or the scenario is wrong, or a port is taken; nothing was started. */
  public static final int USAGE = 2;

  private EmulatorExitCode() {}
}
