package io.tidemark.emulator.ec2.cli;

import io.tidemark.emulator.kit.cli.EmulatorProgram;

/** Entrance of the program. */
public final class Main {
  private Main() {}

  /** Runs until a signal arrives, and ends the process with the command's exit code. */
  public static void main(String[] arguments) {
    EmulatorProgram.start(Ec2EmulatorCommand::new, arguments);
  }
}
