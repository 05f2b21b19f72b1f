package io.tidemark.provider.mock.cloud;

/**
 * The capacity of an instance.
 *
 * @param interfaces network interfaces, the first one included
 * @param addressesPerInterface IPv4 places of each, for its primary address, others, and blocks
 * @param prefixes whether blocks can be given to its interfaces
 */
public record InstanceLimits(int interfaces, int addressesPerInterface, boolean prefixes) {
  /** The built-in limits of a type; 4 interfaces of 15 places with blocks for any other. */
  public static InstanceLimits of(String type) {
    return switch (type) {
      case "t3.micro" -> new InstanceLimits(2, 2, true);
      case "t2.xlarge" -> new InstanceLimits(3, 15, false);
      case "m3.large" -> new InstanceLimits(3, 10, false);
      case "m4.large" -> new InstanceLimits(2, 10, false);
      case "m4.xlarge", "c3.xlarge" -> new InstanceLimits(4, 15, false);
      case "m5.large", "m5a.large", "c5.large" -> new InstanceLimits(3, 10, true);
      case "m5.4xlarge" -> new InstanceLimits(8, 30, true);
      case "m5.24xlarge" -> new InstanceLimits(15, 50, true);
      default -> new InstanceLimits(4, 15, true);
    };
  }

  /** Places of an interface beside its primary address. */
  public int slots() {
    return addressesPerInterface - 1;
  }
}
