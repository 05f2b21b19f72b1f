package io.tidemark.operator;

import io.tidemark.program.SettingArguments;
import io.tidemark.spi.ProviderFactory;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * The help of the commands that take settings: usual options in groups; all others only with {@link
 * #ALL}. Lines break between words. Stateless.
 */
final class GroupedHelp {
  /** The option that shows every option. */
  static final String ALL = "--help-all";

  private static final int WIDTH = 80;
  private static final int DESCRIPTION_COLUMN = 29;

  /** Usual options, in the order of the help; a command shows those that it has. */
  private record Group(String heading, List<String> options) {
    Group(String heading, String... options) {
      this(heading, List.of(options));
    }
  }

  private static final List<Group> USUAL =
      List.of(
          new Group("Provider and nodes:", "--provider", "--nodes", "--kubeconfig", "--context"),
          new Group(
              "Nodes of the plan:",
              "--pods-per-node",
              "--instance-type",
              "--pre-allocate",
              "--first-interface-index",
              "--flexible"),
          new Group("Sources of settings:", "--config", "--config-dir", "--config-map"),
          new Group(
              "Usual settings:",
              "--ipam",
              "--plugins",
              "--cluster-name",
              "--enable-prefix-delegation",
              "--release-excess-ips",
              "--limit-ipam-api-qps"),
          new Group(
              "Operation:",
              "--once",
              "--dry-run",
              "--migration",
              "--untaint",
              "--timeout",
              "--stop-within",
              "--port",
              "--listen"),
          new Group(
              "Output:",
              "--output",
              "--verbose",
              "--log-level",
              "--log-format",
              "--debug",
              "--help",
              "--version"));

  private GroupedHelp() {}

  /** Makes the help of a command this one, and gives it the options of help and version. */
  static void use(CommandLine line) {
    line.getCommandSpec()
        .addOption(
            OptionSpec.builder("-h", "--help", ALL)
                .usageHelp(true)
                .description("Show this help, with --help-all every option.")
                .build())
        .addOption(
            OptionSpec.builder("-V", "--version")
                .versionHelp(true)
                .description("Print version information and exit.")
                .build());
    line.getHelpSectionMap()
        .put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, help -> options(help.commandSpec()));
  }

  private static String options(CommandSpec command) {
    StringBuilder text = new StringBuilder();
    Set<OptionSpec> shown = new LinkedHashSet<>();
    for (Group group : USUAL) {
      List<OptionSpec> options =
          group.options().stream().map(command::findOption).filter(Objects::nonNull).toList();
      section(text, group.heading(), options);
      shown.addAll(options);
    }
    if (isAll(command)) {
      for (ArgGroupSpec group : command.argGroups()) {
        List<OptionSpec> others = new ArrayList<>(group.options());
        others.removeAll(shown);
        section(text, group.heading(), others);
      }
    } else {
      text.append(
              "\nSettings of a provider: tidemark help aws (azure, mock, or one of --plugins).\n")
          .append("All options: tidemark ")
          .append(command.name())
          .append(' ')
          .append(ALL)
          .append(".\n");
    }
    return text.toString();
  }

  private static boolean isAll(CommandSpec command) {
    CommandLine.ParseResult parsed = command.commandLine().getParseResult();
    return parsed != null && parsed.originalArgs().contains(ALL);
  }

  /** The settings of a provider. */
  static String of(ProviderFactory provider) {
    CommandSpec settings = CommandSpec.create();
    SettingArguments.add(settings, "", 1, SettingOptions.sorted(provider));
    StringBuilder text = new StringBuilder();
    text.append("Options of run, explain, status, doctor, config and plan. Each is also a key of\n")
        .append("sources of settings, and a variable: TIDEMARK_CLUSTER_NAME is cluster-name.\n");
    section(text, "Settings of provider " + provider.name() + ":", settings.options());
    return text.toString();
  }

  private static void section(StringBuilder text, String heading, List<OptionSpec> options) {
    List<OptionSpec> visible = options.stream().filter(each -> !each.hidden()).toList();
    if (visible.isEmpty()) {
      return;
    }
    text.append('\n').append(heading.replace("%n", "")).append('\n');
    visible.forEach(each -> row(text, each));
  }

  private static void row(StringBuilder text, OptionSpec option) {
    String names = names(option);
    if (names.length() >= DESCRIPTION_COLUMN) {
      text.append(names).append('\n');
      names = "";
    }
    for (String line : lines(String.join(" ", option.description()))) {
      text.append(String.format(Locale.ROOT, "%-" + DESCRIPTION_COLUMN + "s%s%n", names, line));
      names = "";
    }
  }

  private static String names(OptionSpec option) {
    String value = "";
    if (option.arity().max() > 0) {
      value =
          option.arity().min() > 0 ? "=" + option.paramLabel() : "[=" + option.paramLabel() + "]";
    }
    String names = String.join(", ", option.names());
    return (names.startsWith("--") ? "      " : "  ") + names + value;
  }

  private static List<String> lines(String description) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : description.split(" ", -1)) {
      if (line.length() > 0 && DESCRIPTION_COLUMN + line.length() + 1 + word.length() > WIDTH) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.length() > 0 ? " " : "").append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
