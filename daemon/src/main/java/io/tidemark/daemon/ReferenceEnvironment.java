package io.tidemark.daemon;

import io.tidemark.config.ConfigLayer;
import io.tidemark.config.ConfigProblem;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.Setting;
import io.tidemark.error.CoreError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The environment variables of the AWS VPC CNI's own daemon, so that the manifest of a node can
 * stay as it is. What has a setting here is that setting, after all other places; what asks for
 * something that is not done here is refused; what has no effect is named. Stateless.
 */
final class ReferenceEnvironment {
  private static final Map<String, String> SETTINGS =
      Map.ofEntries(
          Map.entry("WARM_ENI_TARGET", IpamdKey.WARM_ENI.key()),
          Map.entry("WARM_IP_TARGET", IpamdKey.WARM_IP.key()),
          Map.entry("MINIMUM_IP_TARGET", IpamdKey.MINIMUM_IP.key()),
          Map.entry("WARM_PREFIX_TARGET", IpamdKey.WARM_PREFIX.key()),
          Map.entry("MAX_ENI", IpamdKey.MAX_ENI.key()),
          Map.entry("ENABLE_PREFIX_DELEGATION", IpamdKey.PREFIXES.key()),
          Map.entry("ENABLE_IPv4", IpamdKey.IPV4.key()),
          Map.entry("ENABLE_IPv6", IpamdKey.IPV6.key()),
          Map.entry("IP_COOLDOWN_PERIOD", IpamdKey.COOLDOWN.key()),
          Map.entry("AWS_VPC_K8S_CNI_BACKING_STORE", IpamdKey.CHECKPOINT.key()),
          Map.entry("AWS_VPC_K8S_CNI_EXTERNALSNAT", IpamdKey.EXTERNAL_SNAT.key()),
          Map.entry("AWS_VPC_K8S_CNI_EXCLUDE_SNAT_CIDRS", IpamdKey.VPC_CIDRS.key()),
          Map.entry("INTROSPECTION_BIND_ADDRESS", IpamdKey.INTROSPECTION.key()),
          Map.entry("DISABLE_INTROSPECTION", IpamdKey.NO_INTROSPECTION.key()),
          Map.entry("ADDITIONAL_ENI_TAGS", "eni-tags"));

  /** There, 0 is the same as nothing; here it is a target. */
  private static final Set<String> ZERO_IS_UNSET = Set.of("WARM_IP_TARGET", "MINIMUM_IP_TARGET");

  /** What is refused when it is true, and why. */
  private static final Map<String, String> REFUSED =
      Map.of(
          "ENABLE_POD_ENI", "asks for interfaces of pods with security groups of their own",
          "AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG", "asks for subnets by ENIConfig objects",
          "ENABLE_MULTI_NIC", "asks for addresses of several network cards for one pod",
          "ANNOTATE_POD_IP", "asks for annotations of pods, and no cluster is connected");

  /** Says the opposite of the setting here. */
  private static final String NO_METRICS = "DISABLE_METRICS";

  private static final Set<String> WITHOUT_EFFECT =
      Set.of(
          "AWS_VPC_CNI_NODE_PORT_SUPPORT",
          "AWS_VPC_ENI_MTU",
          "AWS_VPC_K8S_CNI_CONFIGURE_RPFILTER",
          "AWS_VPC_K8S_CNI_LOGLEVEL",
          "AWS_VPC_K8S_CNI_LOG_FILE",
          "AWS_VPC_K8S_CNI_RANDOMIZESNAT",
          "AWS_VPC_K8S_CNI_VETHPREFIX",
          "DISABLE_LEAKED_ENI_CLEANUP",
          "DISABLE_NETWORK_RESOURCE_PROVISIONING",
          "DISABLE_POD_V6",
          "ENABLE_SUBNET_DISCOVERY",
          "ENABLE_V4_EGRESS",
          "ENABLE_V6_EGRESS",
          "ENI_CONFIG_ANNOTATION_DEF",
          "ENI_CONFIG_LABEL_DEF",
          "NETWORK_POLICY_ENFORCING_MODE");

  private ReferenceEnvironment() {}

  /** The settings that it means, weaker than all other places. */
  static ConfigLayer settings(Map<String, String> environment) {
    List<Setting> settings = new ArrayList<>();
    new TreeMap<>(environment)
        .forEach(
            (name, value) -> {
              String key = SETTINGS.get(name);
              if (key != null && !(ZERO_IS_UNSET.contains(name) && value.strip().equals("0"))) {
                settings.add(new Setting(key, value, origin(name)));
              }
            });
    if (flag(environment, NO_METRICS).filter(Boolean::booleanValue).isPresent()) {
      settings.add(new Setting(IpamdKey.ENABLE_METRICS.key(), "false", origin(NO_METRICS)));
    }
    return ConfigLayer.shared(settings);
  }

  /** Notes each variable that asks for something that is not done here, with the reason. */
  static void refuse(Map<String, String> environment, ConfigProblems problems) {
    new TreeMap<>(REFUSED)
        .forEach(
            (name, reason) -> {
              if (flag(environment, name).filter(Boolean::booleanValue).isPresent()) {
                problems.add(refusal(name, environment.getOrDefault(name, ""), reason));
              }
            });
  }

  /** Its variables that are set and have no effect here, in their order. */
  static List<String> withoutEffect(Map<String, String> environment) {
    return environment.keySet().stream().filter(WITHOUT_EFFECT::contains).sorted().toList();
  }

  private static Optional<Boolean> flag(Map<String, String> environment, String name) {
    return switch (environment.getOrDefault(name, "").strip()) {
      case "true", "TRUE", "True", "t", "T", "1" -> Optional.of(true);
      case "false", "FALSE", "False", "f", "F", "0" -> Optional.of(false);
      default -> Optional.empty();
    };
  }

  private static ConfigProblem refusal(String name, String value, String reason) {
    return new ConfigProblem(
        CoreError.CONFIG_REMOVED_KEY,
        name,
        value,
        origin(name),
        reason,
        "Remove the variable, or use the AWS VPC CNI's own daemon on this node.");
  }

  private static String origin(String name) {
    return "environment variable " + name;
  }
}
