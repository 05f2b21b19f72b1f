package io.tidemark.operator.report;

import io.tidemark.config.IgnoredSetting;
import io.tidemark.program.console.TextTable;
import java.util.List;
import java.util.Objects;

/**
 * What {@code config} tells: every setting that holds, and what of shared places has no effect.
 *
 * @param provider name of the cloud
 * @param chosenBy where that was chosen
 * @param settings in the order in which people read them
 * @param ignored known and without effect
 */
public record SettingsReport(
    String provider, String chosenBy, List<SettingRow> settings, List<IgnoredSetting> ignored) {
  private static final String SECRET = "(secret)";

  public SettingsReport {
    Objects.requireNonNull(provider, "provider");
    Objects.requireNonNull(chosenBy, "chosenBy");
    settings = List.copyOf(settings);
    ignored = List.copyOf(ignored);
  }

  /** For people: a table, then what is ignored. */
  public String text() {
    TextTable table = new TextTable("SETTING", "VALUE", "FROM", "WHAT IT DOES");
    settings.forEach(row -> table.row(row.key(), shown(row), row.origin(), row.meaning()));
    StringBuilder text = new StringBuilder();
    text.append("provider ").append(provider).append(", chosen by ");
    text.append(chosenBy).append("\n\n").append(table.text());
    for (IgnoredSetting each : ignored) {
      text.append("ignored: ").append(each.origin()).append(": ").append(each.key());
      text.append(' ').append(each.reason()).append('\n');
    }
    return text.toString();
  }

  private static String shown(SettingRow row) {
    return row.secret() ? SECRET : row.value().filter(value -> !value.isEmpty()).orElse("-");
  }
}
