package io.tidemark.daemon;

import io.tidemark.datastore.CidrKind;
import io.tidemark.ip.IpFamily;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Settings of {@code ipamd} under the names that they have as environment variables of the AWS VPC
 * CNI, as far as it has them.
 */
final class IntrospectionSettings {
  private IntrospectionSettings() {}

  static Map<String, Object> settings(IpamdConfig config) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG", false);
    all.put("ENABLE_IPv4", config.family() == IpFamily.IPV4);
    all.put("ENABLE_IPv6", config.family() == IpFamily.IPV6);
    all.put("ENABLE_PREFIX_DELEGATION", config.mode() == CidrKind.PREFIX);
    all.put("IP_COOLDOWN_PERIOD", config.cooldown().period().toSeconds());
    all.put("MAX_ENI", config.pool().maxEni().orElse(-1));
    all.put("MINIMUM_IP_TARGET", config.pool().warm().minIp().orElse(0));
    all.put("WARM_ENI_TARGET", config.pool().warm().warmEni());
    all.put("WARM_IP_TARGET", config.pool().warm().warmIp().orElse(0));
    all.put("WARM_PREFIX_TARGET", config.pool().warm().warmPrefix());
    return all;
  }

  static Map<String, Object> networkSettings(IpamdConfig config) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("AWS_VPC_K8S_CNI_EXCLUDE_SNAT_CIDRS", config.routing().v4Cidrs());
    all.put("AWS_VPC_K8S_CNI_EXTERNALSNAT", config.routing().externalSnat());
    return all;
  }
}
