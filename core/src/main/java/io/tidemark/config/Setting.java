package io.tidemark.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A key and its value as given, before the key is looked up.
 *
 * @param origin where: file and line, the command line, an environment variable, a ConfigMap
 */
public record Setting(String key, String value, String origin) {
  /** Settings that all come from {@code origin}, in the order of the map. */
  public static List<Setting> all(String origin, Map<String, String> values) {
    List<Setting> settings = new ArrayList<>();
    values.forEach((key, value) -> settings.add(new Setting(key, value, origin)));
    return List.copyOf(settings);
  }
}
