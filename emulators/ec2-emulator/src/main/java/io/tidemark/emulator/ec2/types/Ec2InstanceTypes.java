package io.tidemark.emulator.ec2.types;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The instance types of a world. Immutable; usable from any thread. */
public final class Ec2InstanceTypes {
  private static final String RESOURCE = "instance-types.csv";

  private final List<Ec2InstanceType> all;
  private final Map<String, Ec2InstanceType> byName;

  private Ec2InstanceTypes(Collection<Ec2InstanceType> types) {
    this.all = List.copyOf(types);
    this.byName =
        all.stream().collect(Collectors.toMap(Ec2InstanceType::name, Function.identity()));
  }

  /** Every type that this program ships; read at the first call. */
  public static Ec2InstanceTypes bundled() {
    return Bundled.TYPES;
  }

  /** These types, each of another name. */
  public static Ec2InstanceTypes of(Collection<Ec2InstanceType> types) {
    return new Ec2InstanceTypes(types);
  }

  /**
   * The types in the lines of a file of the same columns as {@code data/instance-types.csv}, by
   * ascending name.
   *
   * @throws IllegalArgumentException naming line, column and value of the first thing wrong; the
   *     caller names the file
   */
  public static Ec2InstanceTypes parse(List<String> lines) {
    return of(InstanceTypesCsv.parse(lines).values());
  }

  /** The type of this name; empty when there is none. */
  public Optional<Ec2InstanceType> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** Every type, in the order in which they were given. */
  public List<Ec2InstanceType> all() {
    return all;
  }

  private static final class Bundled {
    static final Ec2InstanceTypes TYPES = parse(lines());

    private static List<String> lines() {
      InputStream resource = Ec2InstanceTypes.class.getResourceAsStream(RESOURCE);
      if (resource == null) {
        throw new IllegalStateException(
            "the program is incomplete: its resource " + RESOURCE + " is missing; build it again");
      }
      try (BufferedReader reader =
          new BufferedReader(new InputStreamReader(resource, StandardCharsets.US_ASCII))) {
        return reader.lines().toList();
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read the resource " + RESOURCE, e);
      }
    }
  }
}
