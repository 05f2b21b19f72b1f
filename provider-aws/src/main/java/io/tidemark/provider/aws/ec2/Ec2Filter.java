package io.tidemark.provider.aws.ec2;

import io.tidemark.spi.InstanceId;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The filters of one listing. Filters restrict each other; the values of one are alternatives, so
 * one without values finds nothing. Immutable.
 *
 * @param values by EC2's name of the filter; empty for everything
 */
public record Ec2Filter(Map<String, Set<String>> values) {
  /** Everything of the account in the region. */
  public static final Ec2Filter NONE = new Ec2Filter(Map.of());

  /** EC2 takes no more values in one filter. */
  public static final int VALUES_MAX = 200;

  public Ec2Filter {
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  public static Ec2Filter of(String name, Collection<String> values) {
    return NONE.and(name, values);
  }

  public static Ec2Filter ofInstances(String name, Collection<InstanceId> ids) {
    return of(name, ids.stream().map(InstanceId::text).toList());
  }

  /** All of these tags with their values; without tags it finds nothing. */
  public static Ec2Filter ofTags(Map<String, String> tags) {
    return tags.isEmpty() ? of("tag-key", Set.of()) : NONE.andTags(tags);
  }

  public Ec2Filter and(String name, Collection<String> some) {
    Map<String, Set<String>> more = new LinkedHashMap<>(values);
    more.put(name, new TreeSet<>(some));
    return new Ec2Filter(more);
  }

  /** All of these tags, too. */
  public Ec2Filter andTags(Map<String, String> tags) {
    Ec2Filter all = this;
    for (Map.Entry<String, String> each : new TreeMap<>(tags).entrySet()) {
      all = all.and("tag:" + each.getKey(), Set.of(each.getValue()));
    }
    return all;
  }

  boolean findsNothing() {
    return values.values().stream().anyMatch(Set::isEmpty);
  }
}
