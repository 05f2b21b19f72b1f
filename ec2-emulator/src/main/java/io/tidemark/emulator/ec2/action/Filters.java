package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.protocol.Parameters;
import io.tidemark.emulator.ec2.protocol.Refusal;
import io.tidemark.emulator.ec2.protocol.ServiceApi;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The filters that a listing of {@code T} knows. A resource passes when it has, for each filter,
 * one of its values. Immutable once built.
 */
final class Filters<T> {
  /** Most values in one request ("FilterLimitExceeded", EC2 error codes). */
  private static final int VALUES_MAX = 200;

  private static final String TAG = "tag:";

  private final String action;
  private final Map<String, Function<T, Stream<String>>> readers = new HashMap<>();
  private Optional<Function<T, SortedMap<String, String>>> tags = Optional.empty();
  private Predicate<T> only = resource -> true;

  /**
   * @param action whose listing it is; filters that EC2 documents for it are told from mistakes
   */
  Filters(String action) {
    this.action = action;
  }

  /** Filters by what {@code reader} says. */
  Filters<T> by(String name, Function<T, String> reader) {
    return byEach(name, resource -> Stream.of(reader.apply(resource)));
  }

  /** Filters by what {@code reader} says, if it says anything. */
  Filters<T> byOptional(String name, Function<T, Optional<String>> reader) {
    return byEach(name, resource -> reader.apply(resource).stream());
  }

  /** Filters by any of what {@code reader} says. */
  Filters<T> byEach(String name, Function<T, Stream<String>> reader) {
    readers.put(name, reader);
    return this;
  }

  /** Lists nothing else, whatever the request filters by. */
  Filters<T> only(Predicate<T> condition) {
    only = condition;
    return this;
  }

  /** {@code tag:<key>} and {@code tag-key}. */
  Filters<T> byTags(Function<T, SortedMap<String, String>> reader) {
    tags = Optional.of(reader);
    return byEach("tag-key", resource -> reader.apply(resource).keySet().stream());
  }

  /**
   * The filters of a request together.
   *
   * @throws Refusal when one is unknown, has no value, or there are too many values
   */
  Predicate<T> read(Parameters parameters) {
    List<Parameters> given = parameters.structures("Filter");
    if (given.stream().mapToInt(filter -> filter.texts("Value").size()).sum() > VALUES_MAX) {
      throw Refusal.of(
          "FilterLimitExceeded",
          "The maximum number of filter values specified on a single call is " + VALUES_MAX);
    }
    List<Predicate<T>> all = new ArrayList<>(List.of(only));
    given.forEach(filter -> all.add(one(filter)));
    return resource -> all.stream().allMatch(filter -> filter.test(resource));
  }

  /** The filters of a request that have no wildcard: their values by name. */
  static Map<String, Set<String>> exact(Parameters parameters) {
    Map<String, Set<String>> exact = new HashMap<>();
    for (Parameters filter : parameters.structures("Filter")) {
      List<String> values = filter.texts("Value");
      if (values.stream().noneMatch(Filters::isWild)) {
        exact.putIfAbsent(filter.text("Name").orElse(""), Set.copyOf(values));
      }
    }
    return exact;
  }

  private Predicate<T> one(Parameters filter) {
    String name = filter.text("Name").orElse("null");
    Function<T, Stream<String>> reader = reader(name);
    List<String> values = filter.texts("Value");
    if (values.isEmpty()) {
      throw Refusal.of("InvalidParameterValue", "The filter '" + name + "' has no value");
    }
    Set<String> plain = new HashSet<>(values);
    boolean wild = values.stream().anyMatch(Filters::isWild);
    return resource ->
        reader
            .apply(resource)
            .anyMatch(
                value ->
                    plain.contains(value)
                        || (wild && values.stream().anyMatch(v -> Wildcard.matches(v, value))));
  }

  private static boolean isWild(String value) {
    return value.indexOf('*') >= 0 || value.indexOf('?') >= 0 || value.indexOf('\\') >= 0;
  }

  private Function<T, Stream<String>> reader(String name) {
    if (name.startsWith(TAG) && tags.isPresent()) {
      String key = name.substring(TAG.length());
      Function<T, SortedMap<String, String>> read = tags.get();
      return resource -> Optional.ofNullable(read.apply(resource).get(key)).stream();
    }
    @Nullable Function<T, Stream<String>> reader = readers.get(name);
    if (reader != null) {
      return reader;
    }
    throw ServiceApi.withoutFilter(action, name);
  }
}
