package io.tidemark.emulator.ec2.protocol;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
  public record Text(String text) implements Value {
    public Text {
      Objects.requireNonNull(text, "text");
    }
  }

  /** A nested structure. */
  public record Nested(Answer answer) implements Value {
    public Nested {
      Objects.requireNonNull(answer, "answer");
    }
  }

  /** A list; each element is written as {@code item}. */
  public record Items(List<Value> values) implements Value {
    public Items {
      values = List.copyOf(values);
    }
  }

  /** The response of an action without a result. */
  public static final Answer TRUE = builder().flag("return", true).build();

  private final Map<String, Value> members;

  private Answer(Map<String, Value> members) {
    this.members = members;
  }

  public static Builder builder() {
    return new Builder();
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

    public Builder text(String name, String text) {
      members.put(name, new Text(text));
      return this;
    }

    /** Left out when empty: EC2 does not write members that have no value. */
    public Builder text(String name, Optional<String> text) {
      text.ifPresent(present -> text(name, present));
      return this;
    }

    public Builder number(String name, long number) {
      return text(name, Long.toString(number));
    }

    public Builder flag(String name, boolean flag) {
      return text(name, Boolean.toString(flag));
    }

    public Builder nested(String name, Answer answer) {
      members.put(name, new Nested(answer));
      return this;
    }

    /** Left out when empty. */
    public Builder nested(String name, Optional<Answer> answer) {
      answer.ifPresent(present -> nested(name, present));
      return this;
    }

    /** A list with one structure per element. */
    public <T> Builder items(String name, Collection<T> elements, Function<T, Answer> each) {
      return put(name, elements.stream().<Value>map(e -> new Nested(each.apply(e))).toList());
    }

    /** A list of texts. */
    public Builder texts(String name, Collection<String> texts) {
      return put(name, texts.stream().<Value>map(Text::new).toList());
    }

    /** The response; members added later belong to another one. */
    public Answer build() {
      Answer built = new Answer(Collections.unmodifiableMap(members));
      members = new LinkedHashMap<>();
      return built;
    }

    private Builder put(String name, List<Value> values) {
      members.put(name, new Items(values));
      return this;
    }
  }
}
