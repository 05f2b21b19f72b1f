package io.tidemark.provider.aws.metadata;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.kit.start.MetadataUnavailable;
import java.util.List;
import java.util.Optional;

/**
 * An interface as the metadata of its instance show it: without its tags, and perhaps with
 * addresses that EC2 has taken away since.
 *
 * @param card network card
 * @param device its number on that card
 * @param subnet id; empty when not told
 * @param singles secondary addresses that belong to no prefix, without the primary one
 * @param prefixes /28 blocks
 * @param ipv6Prefixes /80 blocks
 */
public record MetadataInterface(
    String mac,
    String id,
    int card,
    int device,
    String subnet,
    AddressSet singles,
    List<Cidr> prefixes,
    List<Cidr> ipv6Prefixes) {
  public MetadataInterface {
    prefixes = List.copyOf(prefixes);
    ipv6Prefixes = List.copyOf(ipv6Prefixes);
  }

  /** The primary address is the first of {@code addresses}. */
  static MetadataInterface of(
      String mac,
      String id,
      String device,
      Optional<String> card,
      String subnet,
      List<String> addresses,
      List<String> prefixes,
      List<String> ipv6Prefixes)
      throws MetadataUnavailable {
    AddressSet singles;
    int number;
    int onCard;
    try {
      singles = AddressSet.copyOf(addresses.stream().skip(1).map(IpAddress::parse).toList());
      number = Integer.parseInt(device);
      onCard = Integer.parseInt(card.orElse("0"));
    } catch (IllegalArgumentException wrong) {
      throw unreadable(id, wrong);
    }
    return new MetadataInterface(
        mac, id, onCard, number, subnet, singles, cidrs(id, prefixes), cidrs(id, ipv6Prefixes));
  }

  /** CIDRs that the metadata have for an interface. */
  static List<Cidr> cidrs(String id, List<String> texts) throws MetadataUnavailable {
    try {
      return texts.stream().map(Cidr::parse).toList();
    } catch (IllegalArgumentException wrong) {
      throw unreadable(id, wrong);
    }
  }

  private static MetadataUnavailable unreadable(String id, IllegalArgumentException wrong) {
    return MetadataUnavailable.unusable(
        "the instance's metadata of interface " + id + " are not readable: " + wrong.getMessage());
  }
}
