package io.tidemark.emulator.ec2.types;

import java.util.List;
import java.util.Optional;

/** The instance types of a world. Immutable; usable from any thread. */
public interface Ec2InstanceTypes {
  /** Every type that this program ships; read at the first call. */
  static Ec2InstanceTypes bundled() {
    return ListedTypes.bundled();
  }

  /**
   * The types in the lines of a file of the same columns as {@code data/instance-types.csv}.
   *
   * @throws IllegalArgumentException naming line, column and value of the first thing wrong; the
   *     caller names the file
   */
  static Ec2InstanceTypes parse(List<String> lines) {
    return new ListedTypes(InstanceTypesCsv.parse(lines));
  }

  /** The type of this name; empty when there is none. */
  Optional<Ec2InstanceType> find(String name);

  /** Every type, by ascending name. */
  List<Ec2InstanceType> all();
}
