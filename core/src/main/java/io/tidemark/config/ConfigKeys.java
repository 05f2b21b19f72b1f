package io.tidemark.config;

import io.tidemark.error.CoreError;
import io.tidemark.error.NearestName;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which keys exist for one program: those of the engine, of the program, of the backend and of the
 * chosen provider. Immutable.
 */
public final class ConfigKeys {
  private final Map<String, String> canonical;
  private final Map<String, RefusedKeys.Refusal> refused;

  private final Set<String> secrets;

  private ConfigKeys(
      Map<String, String> canonical,
      Map<String, RefusedKeys.Refusal> refused,
      Set<String> secrets) {
    this.canonical = Map.copyOf(canonical);
    this.refused = Map.copyOf(refused);
    this.secrets = Set.copyOf(secrets);
  }

  /** The keys of {@code settings}, with their older names. */
  public static ConfigKeys of(Collection<Option<?>> settings) {
    return new ConfigKeys(Map.of(), RefusedKeys.all(), Set.of()).with(settings);
  }

  /** These and the keys of {@code settings}, such as those of the chosen provider. */
  public ConfigKeys with(Collection<Option<?>> settings) {
    Map<String, String> accepted = new HashMap<>(canonical);
    Set<String> hidden = new HashSet<>(secrets);
    for (Option<?> each : settings) {
      accepted.putIfAbsent(each.key(), each.key());
      each.aliases().forEach(alias -> accepted.putIfAbsent(alias, each.key()));
      if (each.secret()) {
        hidden.add(each.key());
      }
    }
    return new ConfigKeys(accepted, refused, hidden);
  }

  /** The same keys; others of {@code settings} are refused as those of another provider. */
  public ConfigKeys withForeign(String provider, Collection<Option<?>> settings) {
    Map<String, RefusedKeys.Refusal> more = new HashMap<>(refused);
    settings.forEach(each -> more.put(each.key(), RefusedKeys.ofProvider(provider)));
    return new ConfigKeys(canonical, more, secrets);
  }

  /** The same keys; others of {@code settings} are refused as those of another mode. */
  public ConfigKeys withForeignMode(String mode, Collection<Option<?>> settings) {
    Map<String, RefusedKeys.Refusal> more = new HashMap<>(refused);
    settings.forEach(each -> more.put(each.key(), RefusedKeys.ofMode(mode)));
    return new ConfigKeys(canonical, more, secrets);
  }

  /**
   * The same keys; the others of {@code settings} are refused as those of {@code owner}.
   *
   * @param remedy what to do instead, as a sentence
   */
  public ConfigKeys withForeign(String owner, Set<String> settings, String remedy) {
    Map<String, RefusedKeys.Refusal> more = new HashMap<>(refused);
    settings.forEach(each -> more.put(each, RefusedKeys.ofOwner(owner, remedy)));
    return new ConfigKeys(canonical, more, secrets);
  }

  /** Every name that something is known of: accepted, or refused with a reason. */
  public SortedSet<String> known() {
    SortedSet<String> known = accepted();
    known.addAll(refused.keySet());
    return known;
  }

  /** Whether the value of {@code key} is never shown. */
  public boolean isSecret(String key) {
    return secrets.contains(key);
  }

  /** Every name that is accepted, older ones too. */
  public SortedSet<String> accepted() {
    return new TreeSet<>(canonical.keySet());
  }

  /**
   * Resolves the settings of all layers. An earlier layer takes precedence over a later one; within
   * a layer each key is given once, under one of its names.
   *
   * @param layers in order of precedence, such as command line, file
   * @param problems receives a problem for each key that is given twice in a layer and, in places
   *     that Tidemark owns, for each unknown or refused key
   */
  public ConfigSource resolve(List<ConfigLayer> layers, ConfigProblems problems) {
    Map<String, Setting> result = new HashMap<>();
    for (ConfigLayer layer : layers) {
      layer(layer, problems).forEach(result::putIfAbsent);
    }
    return new GivenSettings(result, secrets);
  }

  /** Known settings of shared places that have no effect here, in the order of the layers. */
  public List<ConfigProblem> ignored(List<ConfigLayer> layers) {
    return layers.stream()
        .filter(ConfigLayer::isShared)
        .flatMap(layer -> layer.settings().stream())
        .filter(each -> !canonical.containsKey(each.key()) && refused.containsKey(each.key()))
        .map(this::refusal)
        .toList();
  }

  private Map<String, Setting> layer(ConfigLayer layer, ConfigProblems problems) {
    Map<String, Setting> byKey = new HashMap<>();
    for (Setting each : layer.settings()) {
      String key = canonical.get(each.key());
      if (key == null) {
        if (!layer.isShared()) {
          problems.add(refusal(each));
        }
        continue;
      }
      Setting before = byKey.putIfAbsent(key, named(each, key));
      if (before != null) {
        problems.add(twice(key, each, before));
      }
    }
    return byKey;
  }

  private ConfigProblem twice(String key, Setting given, Setting before) {
    boolean secret = secrets.contains(key);
    return new ConfigProblem(
        CoreError.CONFIG_GIVEN_TWICE,
        given.key(),
        secret ? "" : given.value(),
        given.origin(),
        "is given before: " + (secret ? "" : before.value() + ", ") + before.origin(),
        CoreError.CONFIG_GIVEN_TWICE.remedy());
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
              "is not a setting",
              NearestName.of(given.key(), canonical.keySet())
                  .map(nearest -> "Did you mean " + nearest + "?")
                  .orElse("See docs/config.md for all of them."));
    }
    return new ConfigProblem(
        refusal.code(), given.key(), "", given.origin(), refusal.problem(), refusal.remedy());
  }
}
