package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Subnet;
import io.tidemark.emulator.ec2.protocol.Refusal;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.ip.Ipv4Address;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
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

  /** The host name that AWS's resolver gives a private address. */
  static String privateDnsName(Ipv4Address address, String region) {
    String host = "ip-" + address.toString().replace('.', '-');
    return region.equals("us-east-1")
        ? host + ".ec2.internal"
        : host + "." + region + ".compute.internal";
  }

  static String arn(Call call, String owner, String kind, String id) {
    return "arn:aws:ec2:" + call.caller().region() + ":" + owner + ":" + kind + "/" + id;
  }

  static String arn(Call call, Subnet subnet) {
    return arn(call, subnet.ownerId(), "subnet", subnet.id());
  }

  /**
   * Reads an IPv4 address.
   *
   * @throws Refusal InvalidParameterValue when it is none
   */
  static Ipv4Address ipv4(String text, String parameter) {
    Optional<IpAddress> address = IpAddress.tryParse(text);
    if (address.isPresent() && address.get() instanceof Ipv4Address ipv4) {
      return ipv4;
    }
    throw invalid(text, parameter, "Invalid IPv4 address.");
  }

  /**
   * Reads an IPv4 block and clears its host bits, as CreateVpc and CreateSubnet document.
   *
   * @throws Refusal InvalidParameterValue when it is none
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

  /**
   * Reads a delegated IPv4 prefix.
   *
   * @throws Refusal InvalidParameterValue when it is no aligned /28
   */
  static Cidr prefix(String text, String parameter) {
    Optional<Cidr> prefix =
        Cidr.tryParse(text)
            .filter(p -> p.family() == IpFamily.IPV4)
            .filter(p -> p.prefixLength() == 28);
    return prefix.orElseThrow(
        () -> invalid(text, parameter, "This is not a valid IPv4 prefix; it must be a /28."));
  }

  static Refusal invalid(String value, String parameter, String why) {
    return Refusal.of(
        "InvalidParameterValue",
        String.format(
            Locale.ROOT, "Value (%s) for parameter %s is invalid. %s", value, parameter, why));
  }

  /**
   * A count of addresses, or an index.
   *
   * @throws Refusal InvalidParameterValue when it is negative or more than any subnet has
   */
  static int count(int value, String parameter) {
    if (value < 0 || value > COUNT_MAX) {
      throw invalid(Integer.toString(value), parameter, "It must be 0 to " + COUNT_MAX + ".");
    }
    return value;
  }
}
