package io.tidemark.operator.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.config.IgnoredSetting;

/**
 * The output of {@code config}, for programs. The schema {@code settings.schema.json} in this
 * package describes it. Stateless.
 */
public final class SettingsJson {
  private SettingsJson() {}

  /** One document on several lines. */
  public static String print(SettingsReport report) {
    ObjectNode root = new ObjectMapper().createObjectNode();
    root.putObject(report.key()).put("name", report.name()).put("origin", report.chosenBy());
    ArrayNode providers = root.putArray("providers");
    report.providers().forEach(providers::add);
    ArrayNode rows = root.putArray("settings");
    for (SettingsReport.Row row : report.settings()) {
      rows.addObject()
          .put("key", row.key())
          .put("group", row.group())
          .put("value", row.value().orElse(null))
          .put("secret", row.secret())
          .put("origin", row.origin())
          .put("meaning", row.meaning());
    }
    ArrayNode others = root.putArray("ignored");
    for (IgnoredSetting each : report.ignored()) {
      others
          .addObject()
          .put("key", each.key())
          .put("origin", each.origin())
          .put("reason", each.reason());
    }
    return ReportJson.text(root);
  }
}
