package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Ipv6Request;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.Parameters;
import io.tidemark.emulator.ec2.protocol.Refusal;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.ip.Ipv6Address;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads which IPv6 addresses a request wants, and refuses wishes that exclude one another. */
final class Ipv6Requests {
  private static final String COUNT = "Ipv6AddressCount";
  private static final String PREFIX_COUNT = "Ipv6PrefixCount";

  /** The parameters of CreateNetworkInterface and of each interface of RunInstances. */
  static final List<Field> OF_NEW =
      List.of(
          Field.structures(
              "Ipv6Addresses", Field.text("Ipv6Address"), Field.unsupported("IsPrimaryIpv6")),
          Field.integer(COUNT),
          Field.structures("Ipv6Prefix", Field.text("Ipv6Prefix")),
          Field.integer(PREFIX_COUNT));

  /** The parameters of AssignIpv6Addresses. */
  static final List<Field> OF_ASSIGNMENT =
      List.of(
          Field.texts("Ipv6Addresses"),
          Field.integer(COUNT),
          Field.texts("Ipv6Prefix"),
          Field.integer(PREFIX_COUNT));

  private Ipv6Requests() {}

  /** The addresses of a new interface; none is allowed. */
  static Ipv6Request ofNew(Parameters parameters) {
    return read(
        parameters,
        parameters.structures("Ipv6Addresses").stream()
            .map(one -> one.need("Ipv6Address"))
            .toList(),
        parameters.structures("Ipv6Prefix").stream().map(one -> one.need("Ipv6Prefix")).toList());
  }

  /** The addresses of the only interface of a launch; none is allowed. */
  static Ipv6Request ofLaunch(Parameters parameters) {
    return read(
        parameters,
        parameters.structures("Ipv6Address").stream().map(one -> one.need("Ipv6Address")).toList(),
        List.of());
  }

  /**
   * The addresses that AssignIpv6Addresses adds.
   *
   * @throws Refusal MissingParameter for none
   */
  static Ipv6Request ofAssignment(Parameters parameters) {
    Ipv6Request wanted =
        read(parameters, parameters.texts("Ipv6Addresses"), parameters.texts("Ipv6Prefix"));
    if (wanted.places() == 0) {
      throw Refusal.of(
          "MissingParameter",
          "The request must contain the parameter ipv6Addresses, ipv6AddressCount, ipv6Prefixes or"
              + " ipv6PrefixCount");
    }
    return wanted;
  }

  static List<Ipv6Address> addresses(List<String> texts) {
    return texts.stream().map(Ipv6Requests::address).toList();
  }

  static List<Cidr> prefixes(List<String> texts) {
    return texts.stream().map(Ipv6Requests::prefix).toList();
  }

  private static Ipv6Request read(
      Parameters parameters, List<String> addresses, List<String> prefixes) {
    int count = Values.count(parameters.integer(COUNT).orElse(0), "ipv6AddressCount");
    int prefixCount = Values.count(parameters.integer(PREFIX_COUNT).orElse(0), "ipv6PrefixCount");
    AddressRequests.requireOne(
        Stream.of(
                AddressRequests.given(!addresses.isEmpty(), "ipv6Addresses"),
                AddressRequests.given(count > 0, "ipv6AddressCount"),
                AddressRequests.given(!prefixes.isEmpty(), "ipv6Prefixes"),
                AddressRequests.given(prefixCount > 0, "ipv6PrefixCount"))
            .toList());
    return new Ipv6Request(addresses(addresses), count, prefixes(prefixes), prefixCount);
  }

  private static Ipv6Address address(String text) {
    Optional<IpAddress> address = IpAddress.tryParse(text);
    if (address.isPresent() && address.get() instanceof Ipv6Address ipv6) {
      return ipv6;
    }
    throw Values.invalid(text, "ipv6Addresses", "Invalid IPv6 address.");
  }

  private static Cidr prefix(String text) {
    return Cidr.tryParse(text)
        .filter(prefix -> prefix.family() == IpFamily.IPV6)
        .filter(prefix -> prefix.prefixLength() == 80)
        .orElseThrow(
            () ->
                Values.invalid(
                    text, "ipv6Prefixes", "This is not a valid IPv6 prefix; it must be a /80."));
  }
}
