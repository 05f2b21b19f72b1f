package io.tidemark.emulator.arm.network;

import io.tidemark.emulator.arm.request.ArmId;
import io.tidemark.emulator.arm.request.Refusal;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Azure's rules for the IP configurations of one interface ("Azure subscription and service
 * limits", section networking; "Application security groups"). Pure.
 */
public final class ConfigurationRules {
  /** Most configurations of an interface, and of all interfaces of a machine. */
  public static final int CONFIGURATIONS_MAX = 256;

  private static final int SECURITY_GROUPS_MAX = 20;

  private ConfigurationRules() {}

  /**
   * Refuses configurations that Azure would not accept.
   *
   * @param all of one interface
   * @param others configurations of the machine's other interfaces
   * @param uniform whether the compute provider checks them
   * @return the position of the primary one
   */
  public static int requireValid(List<Configuration> all, int others, boolean uniform) {
    Refusal.when(
        all.isEmpty(),
        "NicMustHaveIpConfiguration",
        "A network interface needs an IP configuration.");
    requireNames(all);
    requireOneSubnet(all, uniform);
    requireSameSecurityGroups(all);
    Refusal.when(
        all.size() + others > CONFIGURATIONS_MAX,
        "IpConfigurationCountExceedsLimit",
        "The number of IP configurations %s exceeds the limit of %s.",
        all.size() + others,
        CONFIGURATIONS_MAX);
    int primary = primary(all);
    for (int i = 0; i < all.size(); i++) {
      requireBlock(all.get(i), i == primary);
      requireAddress(all.get(i));
    }
    return primary;
  }

  private static void requireNames(List<Configuration> all) {
    Set<String> names = new HashSet<>();
    for (Configuration each : all) {
      Refusal.when(
          !each.name().matches("[A-Za-z0-9_]([A-Za-z0-9_.-]{0,78}[A-Za-z0-9_])?"),
          "InvalidResourceName",
          "Resource name '%s' is invalid.",
          each.name());
      Refusal.when(
          !names.add(each.name().toLowerCase(Locale.ROOT)),
          "DuplicateResourceName",
          "The IP configuration name '%s' is used more than once.",
          each.name());
    }
  }

  private static void requireOneSubnet(List<Configuration> all, boolean uniform) {
    Set<ArmId> subnets = new HashSet<>();
    for (Configuration each : all) {
      subnets.add(
          each.subnet()
              .orElseThrow(
                  () ->
                      Refusal.invalid(
                          "InvalidRequestFormat",
                          "IP configuration '%s' names no subnet.",
                          each.name())));
    }
    Refusal.when(
        subnets.size() > 1,
        (uniform ? "VMScaleSet" : "") + "IpConfigurationsOnSameNicCannotUseDifferentSubnets",
        "IP configurations of one network interface must be in one subnet.");
  }

  private static void requireSameSecurityGroups(List<Configuration> all) {
    Set<ArmId> first = all.get(0).securityGroups();
    Refusal.when(
        first.size() > SECURITY_GROUPS_MAX,
        "ApplicationSecurityGroupCountExceedsLimit",
        "An IP configuration can reference %s groups at most.",
        SECURITY_GROUPS_MAX);
    for (Configuration each : all) {
      Refusal.when(
          !each.securityGroups().equals(first),
          "ApplicationSecurityGroupsOnIpConfigurationsMustBeSame",
          "All IP configurations of a network interface must reference the same groups.");
    }
  }

  private static int primary(List<Configuration> all) {
    Optional<Integer> found = Optional.empty();
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).primary().orElse(all.size() == 1)) {
        Refusal.when(
            found.isPresent(),
            "NicCannotHaveMultiplePrimaryIpConfigurations",
            "Only one IP configuration can be primary.");
        found = Optional.of(i);
      }
    }
    int primary =
        found.orElseThrow(
            () ->
                Refusal.invalid(
                    "NicMustHaveOnePrimaryIpConfiguration", "No IP configuration is primary."));
    Refusal.when(
        all.get(primary).isIpv6(),
        "PrimaryIpConfigurationMustBeIpv4",
        "The primary IP configuration must be IPv4.");
    return primary;
  }

  private static void requireBlock(Configuration each, boolean primary) {
    each.blockLength()
        .filter(length -> length != 32)
        .ifPresent(
            length -> {
              Refusal.when(
                  length != Configuration.BLOCK || primary || each.isIpv6(),
                  "InvalidPrivateIPAddressPrefixLength",
                  "A block of length %s is not supported for %s.",
                  length,
                  each.name());
            });
  }

  /** Who wants a static address names it; IPv6 configurations get none here. */
  private static void requireAddress(Configuration each) {
    Refusal.when(
        each.isStatic() && each.staticAddress().isEmpty() && !each.isIpv6(),
        "PrivateIPAddressMissing",
        "Private IP address is required when privateIPAllocationMethod is Static: IP"
            + " configuration '%s'.",
        each.name());
  }
}
