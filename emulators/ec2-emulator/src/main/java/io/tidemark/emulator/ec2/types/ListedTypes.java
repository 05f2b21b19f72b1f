package io.tidemark.emulator.ec2.types;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** The types of one list. */
final class ListedTypes implements Ec2InstanceTypes {
  private static final String RESOURCE = "instance-types.csv";

  private final Map<String, Ec2InstanceType> byName;
  private final List<Ec2InstanceType> all;

  ListedTypes(SortedMap<String, Ec2InstanceType> byName) {
    this.byName = Map.copyOf(byName);
    this.all = List.copyOf(byName.values());
  }

  static Ec2InstanceTypes bundled() {
    return Bundled.TYPES;
  }

  @Override
  public Optional<Ec2InstanceType> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  @Override
  public List<Ec2InstanceType> all() {
    return all;
  }

  /** Loaded when it is first asked for. */
  private static final class Bundled {
    static final Ec2InstanceTypes TYPES = Ec2InstanceTypes.parse(lines());

    private static List<String> lines() {
      InputStream resource = ListedTypes.class.getResourceAsStream(RESOURCE);
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
