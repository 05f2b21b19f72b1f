package io.tidemark.provider.aws.ec2;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import software.amazon.awssdk.services.ec2.model.Filter;

/**
 * The filters of one request, in a stable order. Values of one filter are alternatives, filters
 * restrict each other. Not thread-safe; made for one request.
 */
final class Filters {
  static final int VALUES_MAX = 200;

  private final List<Filter> filters = new ArrayList<>();

  /** Restricts {@code name} to one of {@code values}; no value restricts nothing. */
  Filters anyOf(String name, Collection<String> values) {
    if (values.size() > VALUES_MAX) {
      throw new IllegalArgumentException(
          name + " has " + values.size() + " values; a filter takes " + VALUES_MAX);
    }
    if (!values.isEmpty()) {
      filters.add(Filter.builder().name(name).values(new TreeSet<>(values)).build());
    }
    return this;
  }

  Filters is(String name, String value) {
    return anyOf(name, List.of(value));
  }

  Filters tags(Map<String, String> tags) {
    new TreeMap<>(tags).forEach((key, value) -> is("tag:" + key, value));
    return this;
  }

  List<Filter> toList() {
    return List.copyOf(filters);
  }
}
