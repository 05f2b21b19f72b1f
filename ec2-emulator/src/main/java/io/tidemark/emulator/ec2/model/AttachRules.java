package io.tidemark.emulator.ec2.model;

import io.tidemark.emulator.ec2.protocol.Refusal;
import io.tidemark.emulator.ec2.types.InstanceType;
import java.util.List;

/**
 * The reasons that forbid to attach an interface to an instance: its state, the zone, the place or
 * a limit of the type. Pure.
 *
 * @param present interfaces of the instance, detaching ones included
 * @param launching true for the interfaces that an instance is made with
 */
record AttachRules(
    NetworkInterface attached,
    Instance instance,
    List<NetworkInterface> present,
    Instances.Slot slot,
    boolean launching) {
  /**
   * Returns when the interface may be attached.
   *
   * @throws Refusal when it may not
   */
  void check() {
    Refusal.when(
        !launching
            && instance.state() != InstanceState.RUNNING
            && instance.state() != InstanceState.STOPPED,
        "IncorrectState",
        "Instance '%s' is not 'running' or 'stopped'.",
        instance.id());
    Refusal.when(
        attached.attachment().isPresent(),
        "InvalidNetworkInterface.InUse",
        "Interface: [%s] in use.",
        attached.id());
    Refusal.when(
        !attached.placement().zone().equals(instance.placement().zone()),
        "InvalidParameterCombination",
        "You may not attach a network interface to an instance if they are not in the same"
            + " availability zone");
    requirePlace();
    if (attached.hasEfa()) {
      requireEfa();
    }
    requireAddresses();
  }

  /** One on each card, as many as the type has, and only while the instance is stopped. */
  private void requireEfa() {
    InstanceType type = instance.type();
    Refusal.when(
        type.hardware().efaInterfaces() == 0,
        "UnsupportedOperation",
        "The instance type %s does not support EFA",
        type.name());
    Refusal.when(
        !launching && instance.state() != InstanceState.STOPPED,
        "IncorrectState",
        "Instance '%s' must be stopped to attach an EFA.",
        instance.id());
    List<Integer> cards =
        present.stream()
            .filter(NetworkInterface::hasEfa)
            .map(each -> each.attachment().orElseThrow().card())
            .toList();
    Refusal.when(
        cards.contains(slot.card()) || cards.size() >= type.hardware().efaInterfaces(),
        "AttachmentLimitExceeded",
        "EFA count %d on network card %d exceeds the limit for %s",
        cards.size() + 1,
        slot.card(),
        type.name());
  }

  private void requirePlace() {
    InstanceType type = instance.type();
    Refusal.when(
        slot.card() < 0 || slot.card() >= type.cards().size(),
        "InvalidParameterValue",
        "Network card index '%d' is not valid for instance type %s",
        slot.card(),
        type.name());
    List<Attachment> neighbours =
        present.stream()
            .flatMap(each -> each.attachment().stream())
            .filter(attachment -> attachment.card() == slot.card())
            .toList();
    Refusal.when(
        instance.blocked().contains(new Instance.Place(slot.card(), slot.device()))
            || neighbours.stream().anyMatch(each -> each.device() == slot.device()),
        "InvalidParameterValue",
        "Instance '%s' already has an interface attached at device index '%d'.",
        instance.id(),
        slot.device());
    Refusal.when(
        neighbours.size() >= type.cards().get(slot.card()).maximumInterfaces(),
        "AttachmentLimitExceeded",
        "Interface count %d exceeds the limit for %s",
        neighbours.size() + 1,
        type.name());
  }

  private void requireAddresses() {
    InterfaceAddresses held = attached.addresses();
    InstanceType type = instance.type();
    Refusal.when(
        held.ipv4Places() > type.ipv4PerInterface() || held.ipv6Places() > type.ipv6PerInterface(),
        "InvalidInterface.IpAddressLimitExceeded",
        "Address count %d on interface-%s exceeds the limit for %s",
        Math.max(held.ipv4Places(), held.ipv6Places()),
        attached.id().substring(ResourceType.NETWORK_INTERFACE.prefix().length()),
        type.name());
    if (!held.prefixes().isEmpty() || !held.ipv6Prefixes().isEmpty()) {
      Interfaces.requirePrefixes(instance);
    }
  }
}
