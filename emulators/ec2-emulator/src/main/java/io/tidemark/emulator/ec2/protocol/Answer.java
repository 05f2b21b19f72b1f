package io.tidemark.emulator.ec2.protocol;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A structure of the EC2 service model: members in order, each a text, a structure or a list.
 * Immutable. The names are those that the service model gives as {@code locationName}, so they can
 * be written as XML directly.
 */
public final class Answer {
  /** The value of a member. */
  public sealed interface Value {}

  /** A scalar, already in its wire form. */
  public record Text(String text) implements Value {}

  /** A nested structure. */
  public record Nested(Answer answer) implements Value {}

  /** A list; each element is written as {@code item}. */
  public record Items(List<Value> values) implements Value {
    public Items {
      values = List.copyOf(values);
    }
  }

  /** The response of an action without a result. */
  public static final Answer TRUE = of("return", true);

  private final Map<String, Value> members;

  private Answer(Map<String, Value> members) {
    this.members = members;
  }

  public static Builder builder() {
    return new Builder();
  }

  /** A structure with one member, as {@link Builder#put} writes it. */
  public static Answer of(String name, Object value) {
    return builder().put(name, value).build();
  }

  /** All members in the order in which they are written. */
  public Map<String, Value> members() {
    return members;
  }

  /** The member of this name; empty when there is none. */
  public Optional<Value> member(String name) {
    return Optional.ofNullable(members.get(name));
  }

  /** The text of this member; empty when it is missing or no text. */
  public Optional<String> text(String name) {
    return members.get(name) instanceof Text text ? Optional.of(text.text()) : Optional.empty();
  }

  /** The structure of this member; empty when it is missing or no structure. */
  public Optional<Answer> nested(String name) {
    return members.get(name) instanceof Nested nested
        ? Optional.of(nested.answer())
        : Optional.empty();
  }

  /** The structures of this list; empty when it is missing or holds texts. */
  public List<Answer> structures(String name) {
    return members.get(name) instanceof Items items
        ? items.values().stream()
            .filter(Nested.class::isInstance)
            .map(value -> ((Nested) value).answer())
            .toList()
        : List.of();
  }

  @Override
  public String toString() {
    return members.toString();
  }

  /** Collects the members of one response. Not thread-safe. */
  public static final class Builder {
    private Map<String, Value> members = new LinkedHashMap<>();

    private Builder() {}

    /**
     * Writes a member: a structure, a list of what a collection holds, or the text of anything
     * else. An empty {@link Optional} is left out, as EC2 writes no member that has no value.
     */
    public Builder put(String name, Object value) {
      if (value instanceof Optional<?> maybe) {
        maybe.ifPresent(present -> put(name, present));
      } else {
        members.put(name, valueOf(value));
      }
      return this;
    }

    /** A list with one structure per element. */
    public <T> Builder items(String name, Collection<T> elements, Function<T, Answer> each) {
      return put(name, elements.stream().map(each).toList());
    }

    /** The response; members added later belong to another one. */
    public Answer build() {
      Answer built = new Answer(Collections.unmodifiableMap(members));
      members = new LinkedHashMap<>();
      return built;
    }

    private static Value valueOf(Object value) {
      if (value instanceof Answer answer) {
        return new Nested(answer);
      }
      return value instanceof Collection<?> all
          ? new Items(all.stream().map(Builder::valueOf).toList())
          : new Text(value.toString());
    }
  }
}
