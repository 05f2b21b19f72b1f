package io.tidemark.operator;

import io.tidemark.config.ConfigLayer;
import io.tidemark.config.ConfigProblem;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.Setting;
import io.tidemark.error.CoreError;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The mode that the settings select: the engine with a provider, or a mode of {@code ipam} that
 * gives nodes whole blocks of addresses. Of {@code provider} and {@code ipam}, which the agents of
 * a cluster share, the one in the stronger place decides; in one place, {@code ipam} says whether
 * it is such a mode (node-manager 5.9, 8; node-cidr 17.3 AM16).
 *
 * @param mode what is run
 * @param name the provider's name, or the value of {@code ipam}
 * @param origin where it was chosen
 */
record ModeChoice(Mode mode, String name, String origin) {
  private static final Map<String, String> PROVIDERS = Map.of("eni", "aws", "azure", "azure");

  private static final Map<String, Mode> BLOCKS =
      Map.of(
          "kubernetes", Mode.NODE_CIDR,
          "cluster-pool", Mode.NODE_CIDR,
          "node-id", Mode.NODE_ID);

  private static final String WITHOUT_CLOUD =
      "agents of that mode do not get their addresses from a cloud";

  private static final Map<String, String> REFUSED =
      Map.of(
          "alibabacloud", "that cloud has no provider here",
          "cluster-pool-v2beta", WITHOUT_CLOUD,
          "crd", "another program writes the resources of that mode",
          "delegated-plugin", "another plugin assigns addresses in that mode",
          "multi-pool", WITHOUT_CLOUD);

  enum Mode {
    /** The engine, which drives a cloud. */
    ENGINE,
    /** The assignment of pod CIDRs to nodes. */
    NODE_CIDR,
    /** The assignment of ids, from which subnets follow, to nodes. */
    NODE_ID
  }

  /** The engine with this provider. */
  static ModeChoice provider(String name, String origin) {
    return new ModeChoice(Mode.ENGINE, name, origin);
  }

  /** The setting that {@link #name} is a value of. */
  String key() {
    return (mode == Mode.ENGINE ? ProgramKey.PROVIDER : ProgramKey.IPAM).key();
  }

  /**
   * The choice of {@code layers}, the strongest first.
   *
   * @param problems is told of a mode that is not run here, or that nobody knows
   * @return empty when nothing was chosen, or the mode is refused
   */
  static Optional<ModeChoice> of(List<ConfigLayer> layers, ConfigProblems problems) {
    for (ConfigLayer layer : layers) {
      Optional<ModeChoice> provider =
          find(layer, ProgramKey.PROVIDER.key())
              .map(each -> provider(each.value().strip(), each.origin()));
      Optional<Setting> ipam = find(layer, ProgramKey.IPAM.key());
      boolean engine = ipam.map(each -> PROVIDERS.containsKey(each.value().strip())).orElse(true);
      if (provider.isPresent() && engine) {
        ipam.ifPresent(each -> compare(provider.get(), each, problems));
        return provider;
      }
      if (ipam.isPresent()) {
        return ofMode(ipam.get(), problems);
      }
    }
    return Optional.empty();
  }

  /** In one place, agents of one cloud and the provider of another contradict each other. */
  private static void compare(ModeChoice provider, Setting ipam, ConfigProblems problems) {
    String value = ipam.value().strip();
    String theirs = PROVIDERS.getOrDefault(value, "");
    if (PROVIDERS.containsValue(provider.name()) && !provider.name().equals(theirs)) {
      problems.add(
          new ConfigProblem(
              CoreError.CONFIG_CONTRADICTION,
              ipam.key(),
              ipam.value(),
              ipam.origin(),
              "contradicts " + ProgramKey.PROVIDER.key() + "=" + provider.name(),
              "Agents with ipam="
                  + value
                  + " need provider "
                  + theirs
                  + ": remove one of the two."));
    }
  }

  private static Optional<ModeChoice> ofMode(Setting ipam, ConfigProblems problems) {
    String value = ipam.value().strip();
    if (PROVIDERS.containsKey(value)) {
      return Optional.of(provider(PROVIDERS.get(value), ipam.origin() + " (ipam=" + value + ")"));
    }
    if (BLOCKS.containsKey(value)) {
      return Optional.of(new ModeChoice(BLOCKS.get(value), value, ipam.origin()));
    }
    String why = Optional.ofNullable(REFUSED.get(value)).orElse("no such mode is known");
    problems.add(
        new ConfigProblem(
            CoreError.CONFIG_INVALID_VALUE,
            ipam.key(),
            ipam.value(),
            ipam.origin(),
            "is not accepted: " + why,
            "Expected: eni, azure, kubernetes, cluster-pool or node-id; or choose with --provider, then"
                + " ipam of a weaker place is not looked at."));
    return Optional.empty();
  }

  private static Optional<Setting> find(ConfigLayer layer, String key) {
    return layer.settings().stream().filter(each -> each.key().equals(key)).findFirst();
  }
}
