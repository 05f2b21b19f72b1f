package io.tidemark.emulator.ec2.model;

import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import io.tidemark.emulator.ec2.types.Ec2InstanceType;
import java.util.List;

/**
 * The reasons that forbid to attach an interface to an instance: its state, the zone, the place or
 * a limit of the type. Pure.
 *
 * @param present interfaces of the instance, detaching ones included
 * @param launching true for the interfaces that an instance is made with
 */
record AttachRules(
    Ec2NetworkInterface attached,
    Ec2Instance instance,
    List<Ec2NetworkInterface> present,
    Instances.Slot slot,
    boolean launching) {
  /**
   * Returns when the interface may be attached.
   *
   * @throws Ec2Refusal when it may not
   */
  void check() {
    Ec2Refusal.when(
        !launching
            && instance.state() != InstanceState.RUNNING
            && instance.state() != InstanceState.STOPPED,
        "IncorrectState",
        "Instance '%s' is not 'running' or 'stopped'.",
        instance.id());
    Ec2Refusal.when(
        attached.attachment().isPresent(),
        "InvalidNetworkInterface.InUse",
        "Interface: [%s] in use.",
        attached.id());
    Ec2Refusal.when(
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
    Ec2InstanceType type = instance.type();
    Ec2Refusal.when(
        type.hardware().efaInterfaces() == 0,
        "UnsupportedOperation",
        "The instance type %s does not support EFA",
        type.name());
    Ec2Refusal.when(
        !launching && instance.state() != InstanceState.STOPPED,
        "IncorrectState",
        "Instance '%s' must be stopped to attach an EFA.",
        instance.id());
    List<Integer> cards =
        present.stream()
            .filter(Ec2NetworkInterface::hasEfa)
            .map(each -> each.attachment().orElseThrow().card())
            .toList();
    Ec2Refusal.when(
        cards.contains(slot.card()) || cards.size() >= type.hardware().efaInterfaces(),
        "AttachmentLimitExceeded",
        "EFA count %d on network card %d exceeds the limit for %s",
        cards.size() + 1,
        slot.card(),
        type.name());
  }

  private void requirePlace() {
    Ec2InstanceType type = instance.type();
    Ec2Refusal.when(
        slot.card() < 0 || slot.card() >= type.cards().size(),
        "InvalidParameterValue",
        "Network card index '%d' is not valid for instance type %s",
        slot.card(),
        type.name());
    List<Ec2Attachment> neighbours =
        present.stream()
            .flatMap(each -> each.attachment().stream())
            .filter(attachment -> attachment.card() == slot.card())
            .toList();
    Ec2Refusal.when(
        instance.blocked().contains(new Ec2Instance.Place(slot.card(), slot.device()))
            || neighbours.stream().anyMatch(each -> each.device() == slot.device()),
        "InvalidParameterValue",
        "Instance '%s' already has an interface attached at device index '%d'.",
        instance.id(),
        slot.device());
    Ec2Refusal.when(
        neighbours.size() >= type.cards().get(slot.card()).maximumInterfaces(),
        "AttachmentLimitExceeded",
        "Interface count %d exceeds the limit for %s",
        neighbours.size() + 1,
        type.name());
  }

  private void requireAddresses() {
    InterfaceAddresses held = attached.addresses();
    Ec2InstanceType type = instance.type();
    Ec2Refusal.when(
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
