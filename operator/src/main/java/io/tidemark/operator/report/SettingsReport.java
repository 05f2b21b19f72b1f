package io.tidemark.operator.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.config.IgnoredSetting;
import io.tidemark.config.ProviderChoice;
import io.tidemark.operator.console.TextTable;
import java.util.List;
import java.util.Objects;

/**
 * What {@code config} tells: every setting that holds, and what of shared places has no effect. The
 * schema {@code settings.schema.json} beside this class says the same of the JSON form.
 *
 * @param provider the cloud
 * @param settings in the order in which people read them
 * @param ignored known and without effect
 */
public record SettingsReport(
    ProviderChoice provider, List<SettingRow> settings, List<IgnoredSetting> ignored) {
  private static final String SECRET = "(secret)";

  public SettingsReport {
    Objects.requireNonNull(provider, "provider");
    settings = List.copyOf(settings);
    ignored = List.copyOf(ignored);
  }

  /** For people: a table, then what is ignored. */
  public String text() {
    TextTable table = new TextTable("SETTING", "VALUE", "FROM", "WHAT IT DOES");
    settings.forEach(row -> table.row(row.key(), shown(row), row.origin(), row.meaning()));
    StringBuilder text = new StringBuilder();
    text.append("provider ").append(provider.name()).append(", chosen by ");
    text.append(provider.origin()).append("\n\n").append(table.text());
    for (IgnoredSetting each : ignored) {
      text.append("ignored: ").append(each.origin()).append(": ").append(each.key());
      text.append(' ').append(each.reason()).append('\n');
    }
    return text.toString();
  }

  /** For programs. */
  public String json() {
    ObjectNode root = new ObjectMapper().createObjectNode();
    root.putObject("provider").put("name", provider.name()).put("origin", provider.origin());
    ArrayNode rows = root.putArray("settings");
    for (SettingRow row : settings) {
      rows.addObject()
          .put("key", row.key())
          .put("group", row.group())
          .put("value", row.value().orElse(null))
          .put("secret", row.secret())
          .put("origin", row.origin())
          .put("meaning", row.meaning());
    }
    ArrayNode others = root.putArray("ignored");
    for (IgnoredSetting each : ignored) {
      others
          .addObject()
          .put("key", each.key())
          .put("origin", each.origin())
          .put("reason", each.reason());
    }
    return ReportJson.text(root);
  }

  private static String shown(SettingRow row) {
    return row.secret() ? SECRET : row.value().filter(value -> !value.isEmpty()).orElse("-");
  }
}
