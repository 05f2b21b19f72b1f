package io.tidemark.emulator.ec2.types;

import java.util.List;
import java.util.Set;

/**
 * One instance type, as DescribeInstanceTypes tells it.
 *
 * @param name for example {@code m5.large}
 * @param hypervisor {@code nitro} or {@code xen}; empty text for bare metal
 * @param bareMetal true when there is no hypervisor
 * @param cards the network cards by index, one or more
 * @param defaultCard index of the card of the primary interface
 * @param ipv4PerInterface places for IPv4 on one interface: its primary address, secondary
 *     addresses and prefixes together
 * @param ipv6PerInterface the same for IPv6 addresses and prefixes; 0 without IPv6
 * @param hardware what does not limit its addresses
 */
public record Ec2InstanceType(
    String name,
    String hypervisor,
    boolean bareMetal,
    List<Card> cards,
    int defaultCard,
    int ipv4PerInterface,
    int ipv6PerInterface,
    Hardware hardware) {
  private static final Set<String> HYPERVISORS = Set.of("nitro", "xen");

  /**
   * One network card.
   *
   * @param maximumInterfaces how many interfaces it can carry
   * @param networkPerformance its bandwidth in EC2's words
   */
  public record Card(int maximumInterfaces, String networkPerformance) {
    public Card {
      Hardware.atLeast(1, "card_interfaces", maximumInterfaces);
    }
  }

  public Ec2InstanceType {
    int dot = name.indexOf('.');
    Hardware.holds(dot > 0 && dot < name.length() - 1, "type", name, "family and size with a dot");
    Hardware.holds(
        bareMetal ? hypervisor.isEmpty() : HYPERVISORS.contains(hypervisor),
        "hypervisor",
        hypervisor,
        "nitro or xen, and none on bare metal");
    cards = List.copyOf(cards);
    Hardware.holds(!cards.isEmpty(), "card_interfaces", "", "at least one card");
    Hardware.holds(
        defaultCard >= 0 && defaultCard < cards.size(),
        "default_card",
        Integer.toString(defaultCard),
        "the index of one of the " + cards.size() + " cards");
    Hardware.atLeast(1, "ipv4_per_interface", ipv4PerInterface);
    Hardware.atLeast(0, "ipv6_per_interface", ipv6PerInterface);
  }

  /** Interfaces on all cards together, the API's {@code MaximumNetworkInterfaces}. */
  public int maximumInterfaces() {
    return cards.stream().mapToInt(Card::maximumInterfaces).sum();
  }

  /** Only these can have prefixes assigned; every bare metal type is one. */
  public boolean isNitroBased() {
    return bareMetal || hypervisor.equals("nitro");
  }
}
