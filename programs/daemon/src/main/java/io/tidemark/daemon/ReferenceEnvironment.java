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
import java.util.stream.Stream;

/**
 * The environment variables of the AWS VPC CNI's own daemon, so that the manifest of a node can
 * stay as it is. What has a setting here is that setting, after all other places; what asks for
 * something that is not done here, or forbids what is done, is refused; what has no effect is
 * named. Stateless.
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
          Map.entry("ADDITIONAL_ENI_TAGS", "eni-tags"),
          Map.entry("AWS_EC2_ENDPOINT", "ec2-api-endpoint"));

  /** There, 0 is the same as nothing; here it is a target. */
  private static final Set<String> ZERO_IS_UNSET = Set.of("WARM_IP_TARGET", "MINIMUM_IP_TARGET");

  /** Settings that say the opposite of a variable. */
  private static final Map<String, Setting> WHEN_TRUE =
      Map.of(
          "DISABLE_METRICS", setting(IpamdKey.ENABLE_METRICS.key(), "false", "DISABLE_METRICS"),
          "DISABLE_LEAKED_ENI_CLEANUP",
              setting("eni-gc-interval", "0", "DISABLE_LEAKED_ENI_CLEANUP"));

  private static final String OTHER_DAEMON =
      "Remove the variable, or use the AWS VPC CNI's own daemon on this node.";

  /** The interfaces of a file are never changed. */
  private static final String OR_FILE =
      "Remove the variable, list what pods may use in a file (--interfaces), or use the AWS VPC"
          + " CNI's own daemon on this node.";

  /** The variables that are refused. */
  private static final List<Refused> REFUSED =
      List.of(
          whenTrue(
              "ENABLE_POD_ENI", "asks for interfaces of pods with security groups of their own"),
          whenTrue("AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG", "asks for subnets by ENIConfig objects"),
          whenTrue("ENABLE_MULTI_NIC", "asks for addresses of several network cards for one pod"),
          whenTrue("ANNOTATE_POD_IP", "asks for annotations of pods, and no cluster is connected"),
          new Refused(
              "DISABLE_NETWORK_RESOURCE_PROVISIONING",
              true,
              true,
              "forbids changes in EC2, by which ipamd keeps its targets",
              OR_FILE),
          new Refused(
              "ENABLE_IMDS_ONLY_MODE",
              true,
              true,
              "forbids requests to EC2, which says what the instance has",
              OR_FILE),
          new Refused(
              "MANAGE_UNTAGGED_ENI",
              false,
              true,
              "forbids the use of interfaces without the tag of this instance",
              "Remove the variable, and give those interfaces the tag"
                  + " node.k8s.amazonaws.com/no_manage with the value true."),
          new Refused(
              "DISABLE_POD_V6",
              true,
              false,
              "asks for pods without IPv6, which is up to the network configuration of the plugin",
              "Remove the variable, and add the plugin tuning to the network configuration."),
          new Refused(
              "DISABLE_TCP_EARLY_DEMUX",
              true,
              false,
              "asks for a setting of the host's kernel, which ipamd does not change",
              "Remove the variable, and set net.ipv4.tcp_early_demux to 0 on the host."));

  /** The mode of network policies that blocks pods until their policies are known. */
  private static final String POLICY_MODE = "NETWORK_POLICY_ENFORCING_MODE";

  /**
   * A variable that is refused.
   *
   * @param when its value
   * @param ofEc2 only where the interfaces are those of EC2
   */
  private record Refused(String name, boolean when, boolean ofEc2, String reason, String remedy) {}

  private static Refused whenTrue(String name, String reason) {
    return new Refused(name, true, false, reason, OTHER_DAEMON);
  }

  private static final Set<String> WITHOUT_EFFECT =
      Set.of(
          "AWS_EXTERNAL_SERVICE_CIDRS",
          "AWS_MANAGE_ENIS_NON_SCHEDULABLE",
          "AWS_VPC_CNI_NODE_PORT_SUPPORT",
          "AWS_VPC_ENI_MTU",
          "AWS_VPC_K8S_CNI_CONFIGURE_RPFILTER",
          "AWS_VPC_K8S_CNI_CONNMARK",
          "AWS_VPC_K8S_CNI_LOGLEVEL",
          "AWS_VPC_K8S_CNI_LOG_FILE",
          "AWS_VPC_K8S_CNI_RANDOMIZESNAT",
          "AWS_VPC_K8S_CNI_VETHPREFIX",
          "AWS_VPC_K8S_EGRESS_V4_PLUGIN_LOG_FILE",
          "AWS_VPC_K8S_EGRESS_V6_PLUGIN_LOG_FILE",
          "AWS_VPC_K8S_PLUGIN_LOG_FILE",
          "AWS_VPC_K8S_PLUGIN_LOG_LEVEL",
          "CLUSTER_ENDPOINT",
          "CLUSTER_NAME",
          "ENABLE_BANDWIDTH_PLUGIN",
          "ENABLE_NFTABLES",
          "ENABLE_SUBNET_DISCOVERY",
          "ENABLE_V4_EGRESS",
          "ENABLE_V6_EGRESS",
          "ENI_CONFIG_ANNOTATION_DEF",
          "ENI_CONFIG_LABEL_DEF",
          "HOST_CNI_BIN_PATH",
          "HOST_CNI_CONFDIR_PATH",
          "MY_NODE_NAME",
          "MY_POD_NAME",
          "NETWORK_POLICY_ENFORCING_MODE",
          "POD_MTU",
          "POD_SECURITY_GROUP_ENFORCING_MODE",
          "VPC_CNI_VERSION");

  private ReferenceEnvironment() {}

  /** The settings that it means, weaker than all other places. */
  static ConfigLayer settings(Map<String, String> environment) {
    List<Setting> settings = new ArrayList<>();
    new TreeMap<>(environment)
        .forEach(
            (name, value) -> {
              String key = SETTINGS.get(name);
              boolean unset = ZERO_IS_UNSET.contains(name) && value.strip().equals("0");
              if (key != null && !unset && !value.isBlank()) {
                settings.add(setting(key, value, name));
              }
            });
    new TreeMap<>(WHEN_TRUE)
        .forEach(
            (name, setting) -> {
              if (flag(environment, name).filter(Boolean::booleanValue).isPresent()) {
                settings.add(setting);
              }
            });
    return ConfigLayer.shared(settings);
  }

  /**
   * Notes each variable that asks for something that is not done here, or forbids what is done,
   * with the reason; and one that may do so and cannot be read.
   *
   * @param ofEc2 whether the interfaces are those of EC2
   */
  static void refuse(Map<String, String> environment, boolean ofEc2, ConfigProblems problems) {
    for (Refused each : REFUSED) {
      boolean counts = ofEc2 || !each.ofEc2();
      if (counts && flag(environment, each.name()).filter(is -> is == each.when()).isPresent()) {
        problems.add(refusal(environment, each.name(), each.reason(), each.remedy()));
      }
    }
    if (environment.getOrDefault(POLICY_MODE, "").strip().equalsIgnoreCase("strict")) {
      problems.add(
          refusal(
              environment,
              POLICY_MODE,
              "asks to block pods until their network policies are known, and pods are not"
                  + " announced to an agent of policies",
              OTHER_DAEMON));
    }
    Stream.concat(REFUSED.stream().map(Refused::name), WHEN_TRUE.keySet().stream())
        .sorted()
        .filter(name -> !environment.getOrDefault(name, "").isBlank())
        .filter(name -> flag(environment, name).isEmpty())
        .forEach(
            name ->
                problems.add(
                    new ConfigProblem(
                        CoreError.CONFIG_INVALID_VALUE,
                        name,
                        environment.getOrDefault(name, ""),
                        origin(name),
                        "is not accepted",
                        "Expected: true or false.")));
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

  private static ConfigProblem refusal(
      Map<String, String> environment, String name, String reason, String remedy) {
    return new ConfigProblem(
        CoreError.CONFIG_REMOVED_KEY,
        name,
        environment.getOrDefault(name, ""),
        origin(name),
        reason,
        remedy);
  }

  private static Setting setting(String key, String value, String variable) {
    return new Setting(key, value, origin(variable));
  }

  private static String origin(String name) {
    return "environment variable " + name;
  }
}
