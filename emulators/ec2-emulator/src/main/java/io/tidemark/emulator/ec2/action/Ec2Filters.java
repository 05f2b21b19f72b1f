package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Ec2Tags;
import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import io.tidemark.emulator.ec2.protocol.Parameters;
import io.tidemark.emulator.ec2.protocol.ServiceApi;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The filters that a listing of {@code T} knows. A resource passes when it has, for each filter,
 * one of its values. Immutable once built.
 */
final class Ec2Filters<T> {
  /** Most values in one request ("FilterLimitExceeded", EC2 error codes). */
  private static final int VALUES_MAX = 200;

  private static final String TAG = "tag:";

  private final String action;
  private final Map<String, Function<T, Stream<String>>> readers = new HashMap<>();
  private Optional<Function<T, Ec2Tags>> tags = Optional.empty();
  private Predicate<T> only = resource -> true;

  /**
   * @param action whose listing it is; filters that EC2 documents for it are told from mistakes
   */
  Ec2Filters(String action) {
    this.action = action;
  }

  /** Filters by the text that {@code reader} returns, or by each in an Optional or a Stream. */
  Ec2Filters<T> by(String name, Function<T, ?> reader) {
    readers.put(name, resource -> texts(reader.apply(resource)));
    return this;
  }

  private static Stream<String> texts(Object value) {
    if (value instanceof Stream<?> all) {
      return all.map(Object::toString);
    }
    return value instanceof Optional<?> maybe
        ? maybe.stream().map(Object::toString)
        : Stream.of(value.toString());
  }

  /** Lists nothing else, whatever the request filters by. */
  Ec2Filters<T> only(Predicate<T> condition) {
    only = condition;
    return this;
  }

  /** {@code tag:<key>} and {@code tag-key}. */
  Ec2Filters<T> byTags(Function<T, Ec2Tags> reader) {
    tags = Optional.of(reader);
    return by("tag-key", resource -> reader.apply(resource).values().keySet().stream());
  }

  /**
   * The filters of a request together.
   *
   * @throws Ec2Refusal when one is unknown, has no value, or there are too many values
   */
  Predicate<T> read(Parameters parameters) {
    List<Parameters> given = parameters.structures("Filter");
    Ec2Refusal.when(
        given.stream().mapToInt(filter -> filter.texts("Value").size()).sum() > VALUES_MAX,
        "FilterLimitExceeded",
        "The maximum number of filter values specified on a single call is %s",
        VALUES_MAX);
    List<Predicate<T>> all = new ArrayList<>(List.of(only));
    given.forEach(filter -> all.add(one(filter)));
    return resource -> all.stream().allMatch(filter -> filter.test(resource));
  }

  /** The filters of a request that have no wildcard: their values by name. */
  static Map<String, Set<String>> exact(Parameters parameters) {
    Map<String, Set<String>> exact = new HashMap<>();
    for (Parameters filter : parameters.structures("Filter")) {
      List<String> values = filter.texts("Value");
      if (values.stream().noneMatch(Ec2Filters::isWild)) {
        exact.putIfAbsent(filter.text("Name").orElse(""), Set.copyOf(values));
      }
    }
    return exact;
  }

  private Predicate<T> one(Parameters filter) {
    String name = filter.text("Name").orElse("null");
    Function<T, Stream<String>> reader = reader(name);
    List<String> values = filter.texts("Value");
    Ec2Refusal.when(
        values.isEmpty(), "InvalidParameterValue", "The filter '%s' has no value", name);
    Set<String> plain = new HashSet<>(values);
    boolean wild = values.stream().anyMatch(Ec2Filters::isWild);
    return resource ->
        reader
            .apply(resource)
            .anyMatch(
                value ->
                    plain.contains(value)
                        || (wild && values.stream().anyMatch(v -> matches(v, value))));
  }

  private static boolean isWild(String value) {
    return value.indexOf('*') >= 0 || value.indexOf('?') >= 0 || value.indexOf('\\') >= 0;
  }

  private Function<T, Stream<String>> reader(String name) {
    if (name.startsWith(TAG) && tags.isPresent()) {
      String key = name.substring(TAG.length());
      Function<T, Ec2Tags> read = tags.get();
      return resource -> Stream.ofNullable(read.apply(resource).values().get(key));
    }
    @Nullable Function<T, Stream<String>> reader = readers.get(name);
    if (reader != null) {
      return reader;
    }
    throw ServiceApi.withoutFilter(action, name);
  }

  /**
   * Whether a value matches: {@code *} stands for any characters, {@code ?} for one, a backslash
   * takes the meaning from the character after it ("List and filter using the API", Amazon EC2 User
   * Guide).
   */
  private static boolean matches(String pattern, String text) {
    if (pattern.indexOf('*') < 0 && pattern.indexOf('?') < 0 && pattern.indexOf('\\') < 0) {
      return pattern.equals(text);
    }
    int p = 0;
    int t = 0;
    int star = -1;
    int resume = 0;
    while (t < text.length()) {
      if (p < pattern.length() && pattern.charAt(p) == '*') {
        star = p++;
        resume = t;
      } else if (p < pattern.length() && fits(pattern, p, text.charAt(t))) {
        p += isEscape(pattern, p) ? 2 : 1;
        t++;
      } else if (star >= 0) {
        p = star + 1;
        t = ++resume;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == '*') {
      p++;
    }
    return p == pattern.length();
  }

  private static boolean fits(String pattern, int at, char c) {
    return isEscape(pattern, at)
        ? pattern.charAt(at + 1) == c
        : pattern.charAt(at) == '?' || pattern.charAt(at) == c;
  }

  private static boolean isEscape(String pattern, int at) {
    return pattern.charAt(at) == '\\' && at + 1 < pattern.length();
  }
}
