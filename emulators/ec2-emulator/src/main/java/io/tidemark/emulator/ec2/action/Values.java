package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.ip.Ipv4Address;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Scalars in the forms that the API writes and reads them. */
final class Values {
  /** No subnet has more addresses, so sums of counts never overflow. */
  private static final int COUNT_MAX = 65_536;

  private Values() {}

  /** {@code 2026-01-31T12:00:00.000Z}. */
  static String time(Instant instant) {
    String text = instant.truncatedTo(ChronoUnit.SECONDS).toString();
    return text.substring(0, text.length() - 1) + ".000Z";
  }

  static String arn(Call call, String owner, String kind, String id) {
    return "arn:aws:ec2:" + call.caller().region() + ":" + owner + ":" + kind + "/" + id;
  }

  /**
   * Reads an address.
   *
   * @throws Ec2Refusal InvalidParameterValue when it is none of this family
   */
  static IpAddress address(String text, IpFamily family, String parameter) {
    return IpAddress.tryParse(text)
        .filter(address -> address.family() == family)
        .orElseThrow(() -> invalid(text, parameter, "Invalid " + family + " address."));
  }

  static Ipv4Address ipv4(String text, String parameter) {
    return (Ipv4Address) address(text, IpFamily.IPV4, parameter);
  }

  /**
   * Reads a delegated prefix.
   *
   * @throws Ec2Refusal InvalidParameterValue when it is no aligned /28 or, for IPv6, /80
   */
  static Cidr prefix(String text, IpFamily family, String parameter) {
    int length = family == IpFamily.IPV4 ? 28 : 80;
    return Cidr.tryParse(text)
        .filter(prefix -> prefix.family() == family && prefix.prefixLength() == length)
        .orElseThrow(
            () ->
                invalid(
                    text,
                    parameter,
                    "This is not a valid " + family + " prefix; it must be a /" + length + "."));
  }

  /**
   * Reads an IPv4 block and clears its host bits, as CreateVpc and CreateSubnet document.
   *
   * @throws Ec2Refusal InvalidParameterValue when it is none
   */
  static Cidr block(String text, String parameter) {
    int slash = text.indexOf('/');
    Optional<IpAddress> address =
        slash < 0 ? Optional.empty() : IpAddress.tryParse(text.substring(0, slash));
    String length = slash < 0 ? "" : text.substring(slash + 1);
    if (address.isEmpty()
        || address.get().family() != IpFamily.IPV4
        || !length.matches("[0-9]|[12][0-9]|3[0-2]")) {
      throw invalid(text, parameter, "This is not a valid CIDR block.");
    }
    return Cidr.containing(address.get(), Integer.parseInt(length));
  }

  /** Whether a VPC or a subnet can have a block of this size. */
  static boolean isAllowed(Cidr block) {
    return block.prefixLength() >= 16 && block.prefixLength() <= 28;
  }

  static Ec2Refusal invalid(Object value, String parameter, String why) {
    return Ec2Refusal.of(
        "InvalidParameterValue",
        "Value (%s) for parameter %s is invalid. %s",
        value,
        parameter,
        why);
  }

  /**
   * A count of addresses, or an index.
   *
   * @throws Ec2Refusal InvalidParameterValue when it is negative or more than any subnet has
   */
  static int count(int value, String parameter) {
    if (value < 0 || value > COUNT_MAX) {
      throw invalid(value, parameter, "It must be 0 to " + COUNT_MAX + ".");
    }
    return value;
  }
}
