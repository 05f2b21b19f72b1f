package io.tidemark.operator;

import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.error.NearestName;
import io.tidemark.program.ExitCode;
import io.tidemark.program.SettingArguments;
import io.tidemark.program.Version;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;

/** {@code tidemark help}: the settings of a provider, or the help of a command. */
@Command(
    name = "help",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    customSynopsis = "tidemark help [--plugins=DIR] [PROVIDER|COMMAND]",
    description = {
      "Lists the settings of a provider: options of run, explain, status, doctor, config and"
          + " plan, and keys of their sources of settings. Of a command, prints its help."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  tidemark help aws", "  tidemark help run"})
final class HelpCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @Parameters(
      arity = "0..1",
      paramLabel = "PROVIDER|COMMAND",
      description = "A provider, or a command.")
  private @Nullable String subject;

  private HelpCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /** The command; {@link Plugins} reads its option. */
  static CommandLine line(Surroundings surroundings) {
    CommandLine line = new CommandLine(new HelpCommand(surroundings));
    line.getCommandSpec()
        .addOption(
            OptionSpec.builder("--plugins")
                .paramLabel("DIR")
                .type(String.class)
                .arity("1")
                .description("Folder of plugins; the variable TIDEMARK_PLUGINS is the same.")
                .build());
    return line;
  }

  @Override
  public Integer call() {
    if (subject == null) {
      surroundings.console().print(RootCommand.HELP);
    } else if (Main.COMMANDS.contains(subject)) {
      return Main.line(surroundings, subject).execute(subject, "--help");
    } else if (!surroundings.providers().names().contains(subject)) {
      throw new IpamException(CoreError.USAGE_REFUSED, unknown(subject));
    } else {
      PrintWriter out = surroundings.console().outWriter();
      out.print(
          GroupedHelp.of(surroundings.providers().named(subject, SettingArguments.COMMAND_LINE)));
      out.flush();
    }
    return ExitCode.DONE.number();
  }

  private String unknown(String name) {
    List<String> known = new ArrayList<>(Main.COMMANDS);
    List<String> providers = surroundings.providers().names();
    known.addAll(providers);
    return "there is no command or provider '"
        + name
        + "'"
        + NearestName.of(name, known).map(each -> "; the nearest is " + each).orElse("")
        + "; the providers are "
        + String.join(", ", providers);
  }
}
