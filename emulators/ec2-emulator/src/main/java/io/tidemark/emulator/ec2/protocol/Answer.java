package io.tidemark.emulator.ec2.protocol;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A structure of the EC2 service model: members in order, each a text, another structure or a list
 * of these. The names are those that the service model gives as {@code locationName}, so they can
 * be written as XML directly. Not thread-safe while it is made, and unchanged afterwards.
 */
public final class Answer {
  /** The response of an action without a result. */
  public static final Answer TRUE = of("return", true);

  private final Map<String, Object> members = new LinkedHashMap<>();

  private Answer() {}

  public static Answer empty() {
    return new Answer();
  }

  /** A structure that begins with this member, as {@link #put} writes it. */
  public static Answer of(String name, Object value) {
    return empty().put(name, value);
  }

  /**
   * Writes a member: a structure, a list of what a collection holds, or the text of anything else.
   * An empty {@link Optional} is left out, as EC2 writes no member that has no value.
   */
  public Answer put(String name, Object value) {
    if (value instanceof Optional<?> maybe) {
      maybe.ifPresent(present -> put(name, present));
    } else {
      members.put(name, wire(value));
    }
    return this;
  }

  /** A list with one structure per element. */
  public <T> Answer items(String name, Collection<T> elements, Function<T, Answer> each) {
    return put(name, elements.stream().map(each).toList());
  }

  private static Object wire(Object value) {
    if (value instanceof Answer) {
      return value;
    }
    return value instanceof Collection<?> all
        ? all.stream().map(Answer::wire).toList()
        : value.toString();
  }

  /** All members in the order in which they are written: a text, an Answer or a list of these. */
  public Map<String, Object> members() {
    return Collections.unmodifiableMap(members);
  }

  /** The text of this member; empty when it is missing or no text. */
  public Optional<String> text(String name) {
    return members.get(name) instanceof String text ? Optional.of(text) : Optional.empty();
  }

  /** The structure of this member; empty when it is missing or no structure. */
  public Optional<Answer> nested(String name) {
    return members.get(name) instanceof Answer answer ? Optional.of(answer) : Optional.empty();
  }

  /** The structures of this list; empty when it is missing or holds texts. */
  public List<Answer> structures(String name) {
    return items(name, Answer.class);
  }

  /** The texts of this list; empty when it is missing or holds structures. */
  public List<String> texts(String name) {
    return items(name, String.class);
  }

  private <T> List<T> items(String name, Class<T> type) {
    return members.get(name) instanceof List<?> items
        ? items.stream().filter(type::isInstance).map(type::cast).toList()
        : List.of();
  }

  @Override
  public String toString() {
    return members.toString();
  }
}
