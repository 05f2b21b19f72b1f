package io.tidemark.it.monitoring;

import io.tidemark.testing.Repository;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * One alert of {@code deploy/monitoring/prometheusrule.yaml}.
 *
 * @param query its expression
 * @param annotations with their templates
 */
record Alert(String name, Query query, String severity, Map<String, String> annotations) {
  static final String FILE = "deploy/monitoring/prometheusrule.yaml";

  /** All of them, in their order. */
  static List<Alert> all() {
    List<Alert> alerts = new ArrayList<>();
    Map<?, ?> spec = map(map(load(Repository.text(FILE))).get("spec"));
    for (Object group : list(spec.get("groups"))) {
      for (Object each : list(map(group).get("rules"))) {
        alerts.add(of(map(each)));
      }
    }
    return alerts;
  }

  /** The file as a Prometheus reads it that has no operator: what is below {@code spec}. */
  static String plainRules() {
    String text = Repository.text(FILE);
    String spec = "\nspec:\n";
    return text.substring(text.indexOf(spec) + spec.length()).replaceAll("(?m)^ {2}", "");
  }

  private static Alert of(Map<?, ?> rule) {
    String name = text(rule, "alert");
    Map<String, String> annotations =
        Map.of(
            "summary", text(map(rule.get("annotations")), "summary"),
            "description", text(map(rule.get("annotations")), "description"),
            "runbook", text(map(rule.get("annotations")), "runbook"));
    return new Alert(
        name,
        new Query(name, text(rule, "expr")),
        text(map(rule.get("labels")), "severity"),
        annotations);
  }

  static Object load(String yaml) {
    return Objects.requireNonNull(new Load(LoadSettings.builder().build()).loadFromString(yaml));
  }

  static Map<?, ?> map(@Nullable Object value) {
    return (Map<?, ?>) Objects.requireNonNull(value);
  }

  static List<?> list(@Nullable Object value) {
    return (List<?>) Objects.requireNonNull(value);
  }

  private static String text(Map<?, ?> of, String key) {
    return Objects.requireNonNull(of.get(key), key).toString();
  }

  /** All annotations, one a line. */
  String texts() {
    return String.join("\n", annotations.values());
  }

  @Override
  public String toString() {
    return name;
  }
}
