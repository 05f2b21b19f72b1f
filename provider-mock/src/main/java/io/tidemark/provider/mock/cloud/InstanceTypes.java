package io.tidemark.provider.mock.cloud;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Instance types by name. Immutable.
 *
 * @param byName ascending by name
 */
public record InstanceTypes(SortedMap<String, InstanceType> byName) {
  private static final InstanceTypes STANDARD =
      new InstanceTypes(new TreeMap<>())
          .with(
              List.of(
                  new InstanceType("t3.micro", 2, 2, true),
                  new InstanceType("t2.xlarge", 3, 15, false),
                  new InstanceType("c3.xlarge", 4, 15, false),
                  new InstanceType("m3.large", 3, 10, false),
                  new InstanceType("m4.large", 2, 10, false),
                  new InstanceType("m4.xlarge", 4, 15, false),
                  new InstanceType("m5.large", 3, 10, true),
                  new InstanceType("m5.xlarge", 4, 15, true),
                  new InstanceType("m5.2xlarge", 4, 15, true),
                  new InstanceType("m5.4xlarge", 8, 30, true),
                  new InstanceType("m5.24xlarge", 15, 50, true),
                  new InstanceType("m5a.large", 3, 10, true),
                  new InstanceType("c5.large", 3, 10, true),
                  new InstanceType("c5.xlarge", 4, 15, true)));

  public InstanceTypes {
    byName = Collections.unmodifiableSortedMap(new TreeMap<>(byName));
  }

  /** A small table of real types. */
  public static InstanceTypes standard() {
    return STANDARD;
  }

  /** This table with {@code more}; a type of the same name is replaced. */
  public InstanceTypes with(Collection<InstanceType> more) {
    SortedMap<String, InstanceType> all = new TreeMap<>(byName);
    more.forEach(type -> all.put(type.name(), type));
    return new InstanceTypes(all);
  }

  /** The type of this name. */
  public Optional<InstanceType> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }
}
