package io.tidemark.manifests;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A value and its place in a text. Offsets count chars of the file's text without its byte order
 * mark; {@code end} is the end of the last character that belongs to the value, so that line breaks
 * and comments behind it are outside.
 */
sealed interface MarkedNode {
  /** The place of a value that was not read from a text. */
  int NOWHERE = -1;

  /** First char, anchor and tag included. */
  int start();

  /** First char behind the value; equal to {@link #start} when a null is not written at all. */
  int end();

  /** Whether it says nothing: null, an empty mapping or an empty sequence. */
  boolean isEmpty();

  /** The value itself: an alias answers what it refers to. */
  default MarkedNode resolved() {
    return this;
  }

  /** What a scalar is in JSON. */
  enum Kind {
    STRING,
    NUMBER,
    BOOLEAN,
    NULL
  }

  /** How a scalar is written. */
  enum Quoting {
    PLAIN,
    SINGLE,
    DOUBLE,
    BLOCK
  }

  /**
   * A value without parts.
   *
   * @param text the string itself, or the JSON literal of a number, boolean or null
   */
  record Scalar(int start, int end, Kind kind, Quoting quoting, String text) implements MarkedNode {
    static Scalar string(String text) {
      return new Scalar(NOWHERE, NOWHERE, Kind.STRING, Quoting.PLAIN, text);
    }

    @Override
    public boolean isEmpty() {
      return kind == Kind.NULL;
    }

    /** Same kind and value have the same text here; numbers are compared by value. */
    String meaning() {
      return switch (kind) {
        case STRING -> MarkedJson.quoted(text);
        case NUMBER -> {
          BigDecimal number = new BigDecimal(text);
          yield number.signum() == 0 ? "0" : number.stripTrailingZeros().toString();
        }
        case BOOLEAN, NULL -> text;
      };
    }
  }

  /** A reference to a value that stands elsewhere in the same document. */
  record Alias(int start, int end, String anchor, MarkedNode target) implements MarkedNode {
    @Override
    public MarkedNode resolved() {
      return target.resolved();
    }

    @Override
    public boolean isEmpty() {
      return target.isEmpty();
    }
  }

  /**
   * One part of a compound value.
   *
   * @param key null for an item of a sequence
   * @param mark place of the colon behind the key, or of the item's dash; {@link #NOWHERE} when
   *     there is none
   */
  record Child(@Nullable Scalar key, int mark, MarkedNode value) {
    static Child of(String key, MarkedNode value) {
      return new Child(Scalar.string(key), NOWHERE, value);
    }

    String name() {
      return key == null ? "" : key.text();
    }

    Quoting quoting() {
      return key == null ? Quoting.PLAIN : key.quoting();
    }

    int start() {
      return key != null ? key.start() : mark >= 0 ? mark : value.start();
    }

    /** Behind the value, or behind colon or dash when the value is not written. */
    int end() {
      return Math.max(Math.max(value.end(), mark + 1), key == null ? NOWHERE : key.end());
    }
  }

  /**
   * A mapping or a sequence, its parts in the order in which they are written; no key twice.
   *
   * @param content behind anchor and tag: the brace, the first key or the first dash
   * @param flow whether it is written with braces or brackets
   * @param byName the parts of a mapping
   */
  record Compound(
      boolean isMapping,
      int start,
      int content,
      int end,
      boolean flow,
      List<Child> children,
      Map<String, Child> byName)
      implements MarkedNode {
    static Compound of(
        boolean mapping, int start, int content, int end, boolean flow, List<Child> children) {
      Map<String, Child> byName = new HashMap<>();
      if (mapping) {
        children.forEach(each -> byName.put(each.name(), each));
      }
      List<Child> fixed = Collections.unmodifiableList(children);
      return new Compound(mapping, start, content, end, flow, fixed, byName);
    }

    /** A mapping that is not read from a text. */
    static Compound mapping(List<Child> children) {
      return of(true, NOWHERE, NOWHERE, NOWHERE, false, children);
    }

    @Override
    public boolean isEmpty() {
      return children.isEmpty();
    }

    Child last() {
      return children.get(children.size() - 1);
    }

    Optional<Child> child(String name) {
      return Optional.ofNullable(byName.get(name));
    }

    /** The value of {@code name}, aliases resolved. */
    Optional<MarkedNode> value(String name) {
      return child(name).map(each -> each.value().resolved());
    }
  }

  /**
   * One document of a file.
   *
   * @param shared values that aliases of the document refer to, by identity
   */
  record Document(MarkedNode root, Set<MarkedNode> shared) {
    /** Whether {@code node}, or a value inside it, is referred to by an alias. */
    boolean sharesPartOf(MarkedNode node) {
      return !shared.isEmpty()
          && (shared.contains(node)
              || (node instanceof Compound compound
                  && compound.children().stream().anyMatch(each -> sharesPartOf(each.value()))));
    }
  }
}
