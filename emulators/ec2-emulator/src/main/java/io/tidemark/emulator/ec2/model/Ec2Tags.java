package io.tidemark.emulator.ec2.model;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The tags of one resource, by key. Immutable.
 *
 * @param values by ascending key, so that every listing repeats itself
 */
public record Ec2Tags(SortedMap<String, String> values) {
  public static final Ec2Tags NONE = new Ec2Tags(new TreeMap<>());

  public Ec2Tags {
    values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
  }

  public static Ec2Tags of(Map<String, String> values) {
    return new Ec2Tags(new TreeMap<>(values));
  }

  /** These tags, overwritten and extended by {@code more}. */
  public Ec2Tags plus(Map<String, String> more) {
    SortedMap<String, String> all = new TreeMap<>(values);
    all.putAll(more);
    return new Ec2Tags(all);
  }

  public Ec2Tags minus(String key) {
    SortedMap<String, String> rest = new TreeMap<>(values);
    rest.remove(key);
    return new Ec2Tags(rest);
  }

  public int size() {
    return values.size();
  }
}
