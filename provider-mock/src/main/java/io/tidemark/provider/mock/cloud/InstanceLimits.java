package io.tidemark.provider.mock.cloud;

import java.util.Map;

/**
 * The capacity of an instance.
 *
 * @param interfaces network interfaces, the first one included
 * @param addressesPerInterface IPv4 places of each, for its primary address, others, and blocks
 * @param prefixes whether blocks can be given to its interfaces
 */
public record InstanceLimits(int interfaces, int addressesPerInterface, boolean prefixes) {
  private static final InstanceLimits USUAL = new InstanceLimits(4, 15, true);

  private static final Map<String, InstanceLimits> BUILT_IN =
      Map.ofEntries(
          Map.entry("t3.micro", new InstanceLimits(2, 2, true)),
          Map.entry("t2.xlarge", new InstanceLimits(3, 15, false)),
          Map.entry("m3.large", new InstanceLimits(3, 10, false)),
          Map.entry("m4.large", new InstanceLimits(2, 10, false)),
          Map.entry("m4.xlarge", new InstanceLimits(4, 15, false)),
          Map.entry("m5.large", new InstanceLimits(3, 10, true)),
          Map.entry("m5.4xlarge", new InstanceLimits(8, 30, true)),
          Map.entry("m5.24xlarge", new InstanceLimits(15, 50, true)));

  /** The built-in limits of a type; 4 interfaces of 15 places with blocks for any other. */
  public static InstanceLimits of(String type) {
    return BUILT_IN.getOrDefault(type, USUAL);
  }

  /** Places of an interface beside its primary address. */
  public int slots() {
    return addressesPerInterface - 1;
  }
}
