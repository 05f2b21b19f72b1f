package io.tidemark.program;

import io.tidemark.config.Option;
import io.tidemark.config.Setting;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Settings as options {@code --KEY VALUE} of a command. */
public final class SettingArguments {
  /** Where such a setting stands, for messages. */
  public static final String COMMAND_LINE = "command line";

  private SettingArguments() {}

  /**
   * Gives a command an option for each of these settings. The help does not show aliases.
   *
   * @param heading above them in the help
   * @param order of the group in the help, ascending
   */
  public static void add(
      CommandSpec command, String heading, int order, List<? extends Option<?>> keys) {
    ArgGroupSpec.Builder group =
        ArgGroupSpec.builder().exclusive(false).multiplicity("0..1").heading(heading).order(order);
    keys.forEach(key -> add(group, key));
    command.addArgGroup(group.build());
  }

  /** The given settings of the arguments. */
  public static List<Setting> given(ParseResult parsed) {
    List<Setting> settings = new ArrayList<>();
    for (OptionSpec option : parsed.matchedOptions()) {
      if (option.group() != null) {
        String value = option.getValue();
        settings.add(new Setting(option.longestName().substring(2), value, COMMAND_LINE));
      }
    }
    return settings;
  }

  private static void add(ArgGroupSpec.Builder group, Option<?> key) {
    boolean flag = key.form() == Option.Form.FLAG;
    group.addArg(option(key.key(), flag, description(key)).build());
    for (String alias : key.aliases()) {
      group.addArg(option(alias, flag, "").hidden(true).build());
    }
  }

  private static OptionSpec.Builder option(String key, boolean flag, String description) {
    OptionSpec.Builder option =
        OptionSpec.builder("--" + key)
            .type(String.class)
            .paramLabel("VALUE")
            .description(description);
    return flag ? option.arity("0..1").fallbackValue("true") : option.arity("1");
  }

  private static String description(Option<?> key) {
    return key.meaning() + key.defaultText().map(text -> " (default: " + text + ")").orElse("");
  }
}
