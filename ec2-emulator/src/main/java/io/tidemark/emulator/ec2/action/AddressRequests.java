package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.AddressRequest;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.Parameters;
import io.tidemark.emulator.ec2.protocol.Refusal;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.Ipv4Address;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads which IPv4 addresses a request wants, and refuses wishes that exclude one another. */
final class AddressRequests {
  private static final String COUNT = "SecondaryPrivateIpAddressCount";
  private static final String PREFIX_COUNT = "Ipv4PrefixCount";

  /** The parameters of CreateNetworkInterface and of each interface of RunInstances. */
  static final List<Field> OF_NEW =
      List.of(
          Field.text("PrivateIpAddress"),
          Field.structures(
              "PrivateIpAddresses", Field.text("PrivateIpAddress"), Field.flag("Primary")),
          Field.integer(COUNT),
          Field.structures("Ipv4Prefix", Field.text("Ipv4Prefix")),
          Field.integer(PREFIX_COUNT));

  private AddressRequests() {}

  /**
   * The addresses of a new interface.
   *
   * @throws Refusal InvalidParameterCombination when more than one of count, addresses, prefixes
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
    if (primaries.size() > 1) {
      throw Refusal.of(
          "InvalidParameterCombination", "Only one primary private IP address can be specified.");
    }
    requireOne(
        List.of(
            given(!secondary.isEmpty(), "privateIpAddresses"),
            given(positive(parameters, COUNT), "secondaryPrivateIpAddressCount"),
            given(parameters.has("Ipv4Prefix"), "ipv4Prefixes"),
            given(positive(parameters, PREFIX_COUNT), "ipv4PrefixCount")));
    return new AddressRequest(
        primaries.stream().findFirst(),
        secondary,
        count(parameters, COUNT),
        parameters.structures("Ipv4Prefix").stream()
            .map(one -> Values.prefix(one.need("Ipv4Prefix"), "ipv4Prefixes"))
            .toList(),
        count(parameters, PREFIX_COUNT));
  }

  /**
   * The addresses that AssignPrivateIpAddresses adds.
   *
   * @throws Refusal InvalidParameterCombination as for new ones, MissingParameter for none
   */
  static AddressRequest ofAssignment(Parameters parameters) {
    requireOne(
        List.of(
            given(parameters.has("PrivateIpAddress"), "privateIpAddresses"),
            given(positive(parameters, COUNT), "secondaryPrivateIpAddressCount"),
            given(parameters.has("Ipv4Prefix"), "ipv4Prefixes"),
            given(positive(parameters, PREFIX_COUNT), "ipv4PrefixCount")));
    AddressRequest wanted =
        new AddressRequest(
            Optional.empty(),
            addresses(parameters),
            count(parameters, COUNT),
            prefixes(parameters),
            count(parameters, PREFIX_COUNT));
    if (wanted.places() == 0) {
      throw Refusal.of(
          "MissingParameter",
          "The request must contain the parameter privateIpAddresses,"
              + " secondaryPrivateIpAddressCount, ipv4Prefixes or ipv4PrefixCount");
    }
    return wanted;
  }

  static List<Ipv4Address> addresses(Parameters parameters) {
    return parameters.texts("PrivateIpAddress").stream()
        .map(text -> Values.ipv4(text, "privateIpAddresses"))
        .toList();
  }

  static List<Cidr> prefixes(Parameters parameters) {
    return parameters.texts("Ipv4Prefix").stream()
        .map(text -> Values.prefix(text, "ipv4Prefixes"))
        .toList();
  }

  private static boolean positive(Parameters parameters, String name) {
    return parameters.integer(name).orElse(0) > 0;
  }

  private static int count(Parameters parameters, String name) {
    return Values.count(parameters.integer(name).orElse(0), name);
  }

  static Optional<String> given(boolean is, String parameter) {
    return is ? Optional.of(parameter) : Optional.empty();
  }

  static void requireOne(List<Optional<String>> alternatives) {
    List<String> given = alternatives.stream().flatMap(Optional::stream).toList();
    if (given.size() > 1) {
      throw Refusal.of(
          "InvalidParameterCombination",
          "The parameter " + given.get(0) + " cannot be used with the parameter " + given.get(1));
    }
  }
}
