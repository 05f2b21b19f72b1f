package io.tidemark.emulator.ec2.types;

import java.util.List;
import java.util.Set;

/**
 * The hardware of an instance type besides its addresses.
 *
 * @param currentGeneration what EC2 says of it
 * @param vcpus at launch, unless the launch asks for others
 * @param cores the same
 * @param threadsPerCore the same
 * @param memoryMib in MiB
 * @param architectures in the words of the API, at least one
 * @param networkPerformance of the whole instance, in EC2's words
 * @param ena whether it has the elastic network adapter: {@code required}, {@code supported} or
 *     {@code unsupported}
 * @param efaInterfaces EFA interfaces at most; 0 where EFA is not supported
 */
public record Hardware(
    boolean currentGeneration,
    int vcpus,
    int cores,
    int threadsPerCore,
    int memoryMib,
    List<String> architectures,
    String networkPerformance,
    String ena,
    int efaInterfaces) {
  private static final Set<String> ENA = Set.of("required", "supported", "unsupported");

  public Hardware {
    atLeast(1, "vcpus", vcpus);
    atLeast(1, "cores", cores);
    atLeast(1, "threads_per_core", threadsPerCore);
    atLeast(1, "memory_mib", memoryMib);
    architectures = List.copyOf(architectures);
    holds(!architectures.isEmpty(), "architectures", "", "at least one");
    holds(ENA.contains(ena), "ena", ena, "required, supported or unsupported");
    atLeast(0, "efa_interfaces", efaInterfaces);
  }

  /** Refuses a component that no instance type can have, naming its column. */
  static void atLeast(int least, String column, int value) {
    holds(value >= least, column, Integer.toString(value), "at least " + least);
  }

  static void holds(boolean allowed, String column, String value, String expected) {
    if (!allowed) {
      throw new IllegalArgumentException(column + " is \"" + value + "\", not " + expected);
    }
  }
}
