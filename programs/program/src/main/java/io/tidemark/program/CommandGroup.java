package io.tidemark.program;

import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that does nothing but name others: it is refused when none of them is given. */
public abstract class CommandGroup implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public final void run() {
    throw new ParameterException(
        spec.commandLine(), "no command is given; " + list(spec.subcommands().keySet()));
  }

  /** The names of commands, as the end of a sentence. */
  static String list(Set<String> names) {
    return (names.size() == 1 ? "the only command is " : "the commands are ")
        + String.join(", ", names);
  }
}
