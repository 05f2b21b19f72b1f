package io.tidemark.program;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that does nothing but name others: it is refused when none of them is given. */
public abstract class CommandGroup implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public final void run() {
    throw new ParameterException(
        spec.commandLine(),
        "which command? One of " + String.join(", ", spec.subcommands().keySet()));
  }
}
