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
public record Tags(SortedMap<String, String> values) {
  public static final Tags NONE = new Tags(new TreeMap<>());

  public Tags {
    values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
  }

  public static Tags of(Map<String, String> values) {
    return new Tags(new TreeMap<>(values));
  }

  /** These tags, overwritten and extended by {@code more}. */
  public Tags plus(Map<String, String> more) {
    SortedMap<String, String> all = new TreeMap<>(values);
    all.putAll(more);
    return new Tags(all);
  }

  public Tags minus(String key) {
    SortedMap<String, String> rest = new TreeMap<>(values);
    rest.remove(key);
    return new Tags(rest);
  }

  public int size() {
    return values.size();
  }
}
