package io.tidemark.config;

import io.tidemark.error.CoreError;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which keys exist for one program: those of core, those of the chosen provider, and what the
 * program itself reads. Immutable.
 */
public final class ConfigKeys {
  private final Map<String, String> canonical;
  private final Map<String, RefusedKeys.Refusal> refused;

  private ConfigKeys(Map<String, String> canonical, Map<String, RefusedKeys.Refusal> refused) {
    this.canonical = Map.copyOf(canonical);
    this.refused = Map.copyOf(refused);
  }

  /** The keys of core, with their older names. */
  public static ConfigKeys ofCore() {
    Map<String, String> canonical = new HashMap<>();
    for (CoreKey each : CoreKey.values()) {
      canonical.put(each.key(), each.key());
      each.aliases().forEach(alias -> canonical.put(alias, each.key()));
    }
    return new ConfigKeys(canonical, RefusedKeys.all());
  }

  /** These and {@code keys}: of the chosen provider, or of the program itself. */
  public ConfigKeys with(Set<String> keys) {
    Map<String, String> more = new HashMap<>(canonical);
    keys.forEach(key -> more.putIfAbsent(key, key));
    return new ConfigKeys(more, refused);
  }

  /** The same keys; {@code keys} are refused as those of {@code provider}, which is not chosen. */
  public ConfigKeys withForeign(String provider, Set<String> keys) {
    Map<String, RefusedKeys.Refusal> more = new HashMap<>(refused);
    keys.forEach(key -> more.put(key, RefusedKeys.ofProvider(provider)));
    return new ConfigKeys(canonical, more);
  }

  /** Every name that is accepted, older ones too. */
  public SortedSet<String> accepted() {
    return new TreeSet<>(canonical.keySet());
  }

  /**
   * Sorts out what was given. Of two layers the earlier wins; inside one layer a key stands once,
   * under one of its names.
   *
   * @param layers the strongest first, such as command line, file
   * @param problems is told of every key that is unknown, refused or given twice
   */
  public ConfigSource resolve(List<List<Setting>> layers, ConfigProblems problems) {
    Map<String, Setting> result = new HashMap<>();
    for (List<Setting> layer : layers) {
      layer(layer, problems).forEach(result::putIfAbsent);
    }
    return new GivenSettings(result);
  }

  private Map<String, Setting> layer(List<Setting> layer, ConfigProblems problems) {
    Map<String, Setting> byKey = new HashMap<>();
    for (Setting each : layer) {
      String key = canonical.get(each.key());
      if (key == null) {
        problems.add(refusal(each));
        continue;
      }
      Setting before = byKey.putIfAbsent(key, named(each, key));
      if (before != null) {
        problems.add(
            new ConfigProblem(
                CoreError.CONFIG_GIVEN_TWICE,
                each.key(),
                each.value(),
                each.origin(),
                "is given before: " + before.value() + ", " + before.origin(),
                CoreError.CONFIG_GIVEN_TWICE.remedy()));
      }
    }
    return byKey;
  }

  private static Setting named(Setting given, String key) {
    String as = given.key().equals(key) ? "" : " (as " + given.key() + ")";
    return new Setting(key, given.value(), given.origin() + as);
  }

  private ConfigProblem refusal(Setting given) {
    RefusedKeys.Refusal refusal = refused.get(given.key());
    if (refusal == null) {
      refusal =
          new RefusedKeys.Refusal(
              CoreError.CONFIG_UNKNOWN_KEY,
              "is no setting",
              NearestKey.of(given.key(), canonical.keySet())
                  .map(nearest -> "Did you mean " + nearest + "?")
                  .orElse("See docs/config.md for all of them."));
    }
    return new ConfigProblem(
        refusal.code(), given.key(), "", given.origin(), refusal.problem(), refusal.remedy());
  }
}
