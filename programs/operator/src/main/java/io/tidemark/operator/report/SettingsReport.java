package io.tidemark.operator.report;

import io.tidemark.config.ConfigProblem;
import io.tidemark.program.console.TextTable;
import java.util.List;
import java.util.Optional;

/**
 * The output of {@code config}: all effective settings, and known settings of shared places that
 * have no effect.
 *
 * @param key the setting that says what is run
 * @param name of what is run
 * @param chosenBy where it was chosen
 * @param providers names of those that can be chosen
 * @param settings in reading order
 * @param ignored known settings without effect
 */
public record SettingsReport(
    String key,
    String name,
    String chosenBy,
    List<String> providers,
    List<Row> settings,
    List<ConfigProblem> ignored) {
  private static final String SECRET = "(secret)";

  /**
   * A setting in the output of {@code config}.
   *
   * @param group its owner: {@code program}, {@code engine}, {@code node-cidr}, {@code node-id} or
   *     the name of a provider
   * @param value the effective value as text; empty if it is unset and has no default
   * @param secret whether a secret value was given; then {@code value} is empty
   * @param origin where it was given, or {@code default}
   */
  public record Row(
      String key,
      String group,
      Optional<String> value,
      boolean secret,
      String origin,
      String meaning) {
    public Row {
      if (secret && value.isPresent()) {
        throw new IllegalArgumentException(key + " is secret and has a value to show");
      }
    }
  }

  /** As text: a table, then the ignored settings. */
  public String text() {
    TextTable table = new TextTable("SETTING", "VALUE", "FROM", "WHAT IT DOES");
    settings.forEach(row -> table.row(row.key(), shown(row), row.origin(), row.meaning()));
    StringBuilder text = new StringBuilder();
    text.append(key).append(' ').append(name).append(", chosen by ");
    text.append(chosenBy).append("; providers: ").append(String.join(", ", providers));
    text.append("\n\n").append(table.text());
    for (ConfigProblem each : ignored) {
      text.append("ignored: ").append(each.origin()).append(": ").append(each.key());
      text.append(' ').append(each.problem()).append('\n');
    }
    return text.toString();
  }

  private static String shown(Row row) {
    return row.secret() ? SECRET : row.value().filter(value -> !value.isEmpty()).orElse("-");
  }
}
