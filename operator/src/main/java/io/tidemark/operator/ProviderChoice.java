package io.tidemark.operator;

import io.tidemark.config.ConfigLayer;
import io.tidemark.config.ConfigProblem;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.Setting;
import io.tidemark.error.CoreError;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Which provider the settings ask for: {@code provider} wherever it stands, otherwise {@code ipam},
 * which the agents of a cluster share (node-manager 5.9, 8).
 *
 * @param name the provider's name
 * @param origin where it was chosen
 */
record ProviderChoice(String name, String origin) {
  private static final Map<String, String> BY_MODE = Map.of("eni", "aws", "azure", "azure");

  private static final String WITHOUT_CLOUD =
      "agents of that mode do not get their addresses from a cloud";

  private static final Map<String, String> REFUSED =
      Map.of(
          "alibabacloud", "that cloud has no provider here",
          "cluster-pool", WITHOUT_CLOUD,
          "cluster-pool-v2beta", WITHOUT_CLOUD,
          "crd", "another program writes the resources of that mode",
          "delegated-plugin", "another plugin assigns addresses in that mode",
          "kubernetes", WITHOUT_CLOUD,
          "multi-pool", WITHOUT_CLOUD);

  ProviderChoice {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(origin, "origin");
  }

  /**
   * The choice of {@code layers}, the strongest first.
   *
   * @param problems is told of a mode that needs no provider, or that nobody knows
   * @return empty when nothing was chosen, or the mode is refused
   */
  static Optional<ProviderChoice> of(List<ConfigLayer> layers, ConfigProblems problems) {
    Optional<Setting> provider = first(layers, ProgramKey.PROVIDER.key());
    if (provider.isPresent()) {
      return provider.map(each -> new ProviderChoice(each.value().strip(), each.origin()));
    }
    return first(layers, ProgramKey.IPAM.key()).flatMap(mode -> ofMode(mode, problems));
  }

  private static Optional<ProviderChoice> ofMode(Setting mode, ConfigProblems problems) {
    String value = mode.value().strip();
    Optional<String> name = Optional.ofNullable(BY_MODE.get(value));
    if (name.isEmpty()) {
      String why = Optional.ofNullable(REFUSED.get(value)).orElse("no such mode is known");
      problems.add(
          new ConfigProblem(
              CoreError.CONFIG_INVALID_VALUE,
              mode.key(),
              mode.value(),
              mode.origin(),
              "is not accepted: " + why,
              "Expected: eni or azure; or choose with --provider, then ipam is not looked at."));
    }
    return name.map(found -> new ProviderChoice(found, mode.origin() + " (ipam=" + value + ")"));
  }

  private static Optional<Setting> first(List<ConfigLayer> layers, String key) {
    return layers.stream()
        .flatMap(layer -> layer.settings().stream())
        .filter(each -> each.key().equals(key))
        .findFirst();
  }
}
