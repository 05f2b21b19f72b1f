package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.AddressRequest;
import io.tidemark.emulator.ec2.model.InterfaceAddresses;
import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Parameters;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.ip.Ipv4Address;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads which addresses a request wants, and refuses wishes that exclude one another. */
final class AddressRequests {
  /** The parameters of CreateNetworkInterface and of each interface of RunInstances. */
  static final String OF_NEW =
      " PrivateIpAddress PrivateIpAddresses[]{PrivateIpAddress Primary:flag}"
          + " SecondaryPrivateIpAddressCount:int Ipv4Prefix[]{Ipv4Prefix} Ipv4PrefixCount:int"
          + " Ipv6Addresses[]{Ipv6Address -IsPrimaryIpv6} Ipv6AddressCount:int"
          + " Ipv6Prefix[]{Ipv6Prefix} Ipv6PrefixCount:int";

  private static final String COUNT = "SecondaryPrivateIpAddressCount";
  private static final String PREFIX_COUNT = "Ipv4PrefixCount";

  private AddressRequests() {}

  /**
   * The IPv4 addresses of a new interface.
   *
   * @throws Ec2Refusal InvalidParameterCombination when more than one of count, addresses, prefixes
   *     and prefix count is given, or two primary addresses
   */
  static AddressRequest ofNew(Parameters parameters) {
    List<Ipv4Address> primaries = new ArrayList<>();
    List<Ipv4Address> secondary = new ArrayList<>();
    parameters
        .text("PrivateIpAddress")
        .ifPresent(text -> primaries.add(Values.ipv4(text, "privateIpAddress")));
    for (Parameters one : parameters.structures("PrivateIpAddresses")) {
      Ipv4Address address = Values.ipv4(one.need("PrivateIpAddress"), "privateIpAddresses");
      (one.isSet("Primary") ? primaries : secondary).add(address);
    }
    Ec2Refusal.when(
        primaries.size() > 1,
        "InvalidParameterCombination",
        "Only one primary private IP address can be specified.");
    requireOneWish(parameters, !secondary.isEmpty());
    return ipv4(
        parameters, primaries.stream().findFirst(), secondary, inner(parameters, "Ipv4Prefix"));
  }

  /**
   * The addresses that AssignPrivateIpAddresses adds.
   *
   * @throws Ec2Refusal InvalidParameterCombination as for new ones, MissingParameter for none
   */
  static AddressRequest ofAssignment(Parameters parameters) {
    requireOneWish(parameters, parameters.has("PrivateIpAddress"));
    List<String> prefixes = parameters.texts("Ipv4Prefix");
    AddressRequest wanted =
        ipv4(
            parameters,
            Optional.empty(),
            addresses(parameters.texts("PrivateIpAddress"), IpFamily.IPV4),
            prefixes);
    if (wanted.places() == 0) {
      throw ParameterShape.missing(
          "privateIpAddresses, secondaryPrivateIpAddressCount, ipv4Prefixes or ipv4PrefixCount");
    }
    return wanted;
  }

  /** The IPv6 addresses of a new interface; none is allowed. */
  static AddressRequest ipv6OfNew(Parameters parameters) {
    return ipv6(
        parameters,
        parameters.structures("Ipv6Addresses").stream().map(a -> a.need("Ipv6Address")).toList(),
        inner(parameters, "Ipv6Prefix"));
  }

  /** The IPv6 addresses of the only interface of a launch; none is allowed. */
  static AddressRequest ipv6OfLaunch(Parameters parameters) {
    return ipv6(parameters, inner(parameters, "Ipv6Address"), List.of());
  }

  /**
   * The addresses that AssignIpv6Addresses adds.
   *
   * @throws Ec2Refusal MissingParameter for none
   */
  static AddressRequest ipv6OfAssignment(Parameters parameters) {
    AddressRequest wanted =
        ipv6(parameters, parameters.texts("Ipv6Addresses"), parameters.texts("Ipv6Prefix"));
    if (wanted.places() == 0) {
      throw ParameterShape.missing(
          "ipv6Addresses, ipv6AddressCount, ipv6Prefixes or ipv6PrefixCount");
    }
    return wanted;
  }

  /**
   * The addresses that an action takes off an interface.
   *
   * @throws Ec2Refusal MissingParameter for none
   */
  static InterfaceAddresses.Assigned ofUnassignment(Parameters parameters, IpFamily family) {
    boolean ipv4 = family == IpFamily.IPV4;
    InterfaceAddresses.Assigned lost =
        new InterfaceAddresses.Assigned(
            addresses(parameters.texts(ipv4 ? "PrivateIpAddress" : "Ipv6Addresses"), family),
            prefixes(parameters.texts(ipv4 ? "Ipv4Prefix" : "Ipv6Prefix"), family));
    if (lost.addresses().isEmpty() && lost.prefixes().isEmpty()) {
      throw ParameterShape.missing(
          ipv4 ? "privateIpAddresses or ipv4Prefixes" : "ipv6Addresses or ipv6Prefixes");
    }
    return lost;
  }

  private static AddressRequest ipv4(
      Parameters parameters,
      Optional<Ipv4Address> primary,
      List<? extends IpAddress> secondary,
      List<String> prefixes) {
    return new AddressRequest(
        primary,
        secondary,
        Values.count(parameters.integer(COUNT).orElse(0), COUNT),
        prefixes(prefixes, IpFamily.IPV4),
        Values.count(parameters.integer(PREFIX_COUNT).orElse(0), PREFIX_COUNT));
  }

  private static AddressRequest ipv6(
      Parameters parameters, List<String> addresses, List<String> prefixes) {
    int count = Values.count(parameters.integer("Ipv6AddressCount").orElse(0), "ipv6AddressCount");
    int prefixCount =
        Values.count(parameters.integer("Ipv6PrefixCount").orElse(0), "ipv6PrefixCount");
    requireOne(
        List.of(
            given(!addresses.isEmpty(), "ipv6Addresses"),
            given(count > 0, "ipv6AddressCount"),
            given(!prefixes.isEmpty(), "ipv6Prefixes"),
            given(prefixCount > 0, "ipv6PrefixCount")));
    return new AddressRequest(
        Optional.empty(),
        addresses(addresses, IpFamily.IPV6),
        count,
        prefixes(prefixes, IpFamily.IPV6),
        prefixCount);
  }

  private static List<IpAddress> addresses(List<String> texts, IpFamily family) {
    String parameter = family == IpFamily.IPV4 ? "privateIpAddresses" : "ipv6Addresses";
    return texts.stream().map(text -> Values.address(text, family, parameter)).toList();
  }

  private static List<Cidr> prefixes(List<String> texts, IpFamily family) {
    String parameter = family == IpFamily.IPV4 ? "ipv4Prefixes" : "ipv6Prefixes";
    return texts.stream().map(text -> Values.prefix(text, family, parameter)).toList();
  }

  /** The members of a list of structures that are named as the list. */
  private static List<String> inner(Parameters parameters, String name) {
    return parameters.structures(name).stream().map(one -> one.need(name)).toList();
  }

  private static void requireOneWish(Parameters parameters, boolean addresses) {
    requireOne(
        List.of(
            given(addresses, "privateIpAddresses"),
            given(parameters.integer(COUNT).orElse(0) > 0, "secondaryPrivateIpAddressCount"),
            given(parameters.has("Ipv4Prefix"), "ipv4Prefixes"),
            given(parameters.integer(PREFIX_COUNT).orElse(0) > 0, "ipv4PrefixCount")));
  }

  private static Stream<String> given(boolean is, String parameter) {
    return is ? Stream.of(parameter) : Stream.empty();
  }

  private static void requireOne(List<Stream<String>> alternatives) {
    List<String> given = alternatives.stream().flatMap(each -> each).toList();
    if (given.size() > 1) {
      throw both(given.get(0), given.get(1));
    }
  }

  /** The refusal of two parameters that exclude each other. */
  static Ec2Refusal both(String one, String other) {
    return Ec2Refusal.of(
        "InvalidParameterCombination",
        "The parameter %s cannot be used with the parameter %s",
        one,
        other);
  }
}
