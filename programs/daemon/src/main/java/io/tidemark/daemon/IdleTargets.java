package io.tidemark.daemon;

import io.tidemark.config.ConfigSource;
import io.tidemark.config.Option;
import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.plan.WarmTargets;
import io.tidemark.demand.DemandKey;
import io.tidemark.ip.IpFamily;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Targets that are given and have no effect beside the other settings. Stateless. */
final class IdleTargets {
  private static final List<Option<?>> ALL =
      List.of(
          IpamdKey.WARM_ENI,
          IpamdKey.WARM_IP,
          IpamdKey.MINIMUM_IP,
          IpamdKey.WARM_PREFIX,
          DemandKey.MODE,
          IpamdKey.MAX_ENI);

  private IdleTargets() {}

  /**
   * One line for people for each of them: the key, where it is given, and why it has no effect.
   *
   * @param ofEc2 whether the interfaces are those of EC2, and not of a file
   */
  static List<String> of(IpamdConfig config, boolean ofEc2) {
    Map<Option<?>, String> reasons = new LinkedHashMap<>();
    WarmTargets warm = config.pool().warm();
    if (!ofEc2) {
      ALL.forEach(each -> reasons.put(each, "the interfaces are those of a file"));
    } else if (config.family() == IpFamily.IPV6) {
      ALL.forEach(each -> reasons.put(each, "the IPv6 addresses are those of one prefix"));
    } else {
      if (config.pool().hook().isEmpty()) {
        reasons.put(
            IpamdKey.MAX_ENI,
            "without " + IpamdKey.HOST_NETWORK_HOOK.key() + " there is one interface");
      }
      if (config.mode() == CidrKind.PREFIX) {
        reasons.put(IpamdKey.WARM_ENI, given(IpamdKey.PREFIXES));
      } else {
        reasons.put(IpamdKey.WARM_PREFIX, "without " + IpamdKey.PREFIXES.key());
      }
      if (warm.warmIp().isPresent() || warm.minIp().isPresent()) {
        String stronger = given(warm.warmIp().isPresent() ? IpamdKey.WARM_IP : IpamdKey.MINIMUM_IP);
        reasons.putIfAbsent(IpamdKey.WARM_ENI, stronger);
        reasons.putIfAbsent(IpamdKey.WARM_PREFIX, stronger);
      }
    }
    ConfigSource source = config.pool().source();
    List<String> lines = new ArrayList<>();
    reasons.forEach(
        (option, reason) ->
            source
                .value(option.key())
                .ifPresent(
                    value ->
                        lines.add(
                            option.key()
                                + "="
                                + value
                                + " ("
                                + source.origin(option.key())
                                + "): "
                                + reason)));
    return lines;
  }

  private static String given(Option<?> stronger) {
    return stronger.key() + " is set";
  }
}
