package io.tidemark.emulator.ec2.model;

import io.tidemark.emulator.ec2.protocol.Refusal;
import io.tidemark.emulator.ec2.types.InstanceType;
import java.util.List;
import java.util.Locale;

/**
 * The reasons that forbid to attach an interface to an instance: its state, the zone, the place or
 * a limit of the type. Pure.
 */
final class AttachRules {
  private final NetworkInterface attached;
  private final Instance instance;
  private final List<NetworkInterface> present;
  private final Instances.Slot slot;

  private AttachRules(
      NetworkInterface attached,
      Instance instance,
      List<NetworkInterface> present,
      Instances.Slot slot) {
    this.attached = attached;
    this.instance = instance;
    this.present = present;
    this.slot = slot;
  }

  /**
   * Returns when it may be attached.
   *
   * @param present interfaces of the instance, detaching ones included
   * @param launching true for the interfaces that an instance is made with
   * @throws Refusal when it may not
   */
  static void check(
      NetworkInterface attached,
      Instance instance,
      List<NetworkInterface> present,
      Instances.Slot slot,
      boolean launching) {
    new AttachRules(attached, instance, present, slot).check(launching);
  }

  private void check(boolean launching) {
    if (!launching
        && instance.state() != InstanceState.RUNNING
        && instance.state() != InstanceState.STOPPED) {
      throw Refusal.of(
          "IncorrectState", "Instance '" + instance.id() + "' is not 'running' or 'stopped'.");
    }
    if (attached.attachment().isPresent()) {
      throw Refusal.of(
          "InvalidNetworkInterface.InUse", "Interface: [" + attached.id() + "] in use.");
    }
    if (!attached.placement().zone().equals(instance.placement().zone())) {
      throw Refusal.of(
          "InvalidParameterCombination",
          "You may not attach a network interface to an instance if they are not in the same"
              + " availability zone");
    }
    requirePlace();
    if (attached.hasEfa()) {
      requireEfa(launching);
    }
    requireAddresses();
  }

  private List<Attachment> onCard() {
    return present.stream()
        .flatMap(each -> each.attachment().stream())
        .filter(attachment -> attachment.card() == slot.card())
        .toList();
  }

  /** One on each card, as many as the type has, and only while the instance is stopped. */
  private void requireEfa(boolean launching) {
    InstanceType type = instance.type();
    if (type.hardware().efaInterfaces() == 0) {
      throw Refusal.of(
          "UnsupportedOperation", "The instance type " + type.name() + " does not support EFA");
    }
    if (!launching && instance.state() != InstanceState.STOPPED) {
      throw Refusal.of(
          "IncorrectState", "Instance '" + instance.id() + "' must be stopped to attach an EFA.");
    }
    List<Integer> cards =
        present.stream()
            .filter(NetworkInterface::hasEfa)
            .map(each -> each.attachment().orElseThrow().card())
            .toList();
    if (cards.contains(slot.card()) || cards.size() >= type.hardware().efaInterfaces()) {
      throw Refusal.of(
          "AttachmentLimitExceeded",
          String.format(
              Locale.ROOT,
              "EFA count %d on network card %d exceeds the limit for %s",
              cards.size() + 1,
              slot.card(),
              type.name()));
    }
  }

  private void requirePlace() {
    InstanceType type = instance.type();
    if (slot.card() < 0 || slot.card() >= type.cards().size()) {
      throw Refusal.of(
          "InvalidParameterValue",
          String.format(
              Locale.ROOT,
              "Network card index '%d' is not valid for instance type %s",
              slot.card(),
              type.name()));
    }
    List<Attachment> neighbours = onCard();
    if (instance.blocked().contains(new Instance.Place(slot.card(), slot.device()))
        || neighbours.stream().anyMatch(attachment -> attachment.device() == slot.device())) {
      throw Refusal.of(
          "InvalidParameterValue",
          String.format(
              Locale.ROOT,
              "Instance '%s' already has an interface attached at device index '%d'.",
              instance.id(),
              slot.device()));
    }
    if (neighbours.size() >= type.cards().get(slot.card()).maximumInterfaces()) {
      throw Refusal.of(
          "AttachmentLimitExceeded",
          String.format(
              Locale.ROOT,
              "Interface count %d exceeds the limit for %s",
              neighbours.size() + 1,
              type.name()));
    }
  }

  private void requireAddresses() {
    int ipv4 = attached.addresses().ipv4Places();
    int ipv6 = attached.addresses().ipv6Places();
    int places = Math.max(ipv4, ipv6);
    if (ipv4 > instance.type().ipv4PerInterface() || ipv6 > instance.type().ipv6PerInterface()) {
      throw Refusal.of(
          "InvalidInterface.IpAddressLimitExceeded",
          String.format(
              Locale.ROOT,
              "Address count %d on interface-%s exceeds the limit for %s",
              places,
              attached.id().substring(ResourceType.NETWORK_INTERFACE.prefix().length()),
              instance.type().name()));
    }
    if (!attached.addresses().prefixes().isEmpty()
        || !attached.addresses().ipv6Prefixes().isEmpty()) {
      Interfaces.requirePrefixes(instance);
    }
  }
}
