package io.tidemark.simulation.scenario;

import io.tidemark.ip.Cidr;
import io.tidemark.resource.ResourceProblem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * One mapping of a document that is being read: every accessor notes what is wrong and goes on with
 * a harmless value, so that all problems are reported together. Used by one thread.
 */
final class Section {
  private final String where;
  private final String path;
  private final int line;
  private final Map<String, Tree> fields;
  private final List<ResourceProblem> problems;
  private final Set<String> known = new LinkedHashSet<>();

  Section(String where, String path, Tree tree, List<ResourceProblem> problems) {
    this.where = where;
    this.path = path;
    this.line = tree.line();
    this.problems = problems;
    if (tree instanceof Tree.Fields mapping) {
      this.fields = mapping.fields();
    } else {
      this.fields = Map.of();
      boolean none = tree instanceof Tree.Scalar scalar && scalar.text().isEmpty();
      if (!none) {
        problem(path, line, "is " + tree.kind(), "Write a mapping of keys and values.");
      }
    }
  }

  /** Notes a problem of the value under {@code key}. */
  void problem(String key, String problem, String remedy) {
    Tree at = fields.get(key);
    problem(join(key), at == null ? line : at.line(), problem, remedy);
  }

  private void problem(String at, int atLine, String problem, String remedy) {
    problems.add(new ResourceProblem(where + ":" + atLine, at, problem, remedy));
  }

  /** Whether the key is there. */
  boolean has(String key) {
    known.add(key);
    return fields.containsKey(key);
  }

  /** The text; empty when absent. */
  Optional<String> text(String key) {
    known.add(key);
    Tree tree = fields.get(key);
    if (tree == null) {
      return Optional.empty();
    }
    if (tree instanceof Tree.Scalar scalar) {
      return Optional.of(scalar.text());
    }
    problem(key, "is " + tree.kind(), "Write one value.");
    return Optional.empty();
  }

  /** The text, which must be there. */
  String requiredText(String key) {
    Optional<String> text = text(key).filter(each -> !each.isEmpty());
    if (text.isEmpty() && problems.stream().noneMatch(each -> each.path().equals(join(key)))) {
      problem(key, "is missing", "Add it.");
    }
    return text.orElse("?");
  }

  /** A whole number. */
  int integer(String key, int otherwise, int least, int most) {
    return (int) number(key, otherwise, least, most);
  }

  /** A whole number. */
  long number(String key, long otherwise, long least, long most) {
    return parsed(
        key,
        otherwise,
        text -> Optional.of(Long.parseLong(text)).filter(n -> n >= least && n <= most),
        "a whole number from " + least + " to " + most);
  }

  /** A number. */
  double decimal(String key, double otherwise, double least, double most) {
    return parsed(
        key,
        otherwise,
        text -> Optional.of(Double.parseDouble(text)).filter(n -> n >= least && n <= most),
        "a number from " + Texts.number(least) + " to " + Texts.number(most));
  }

  /** A yes or no. */
  boolean flag(String key, boolean otherwise) {
    return parsed(
        key,
        otherwise,
        text ->
            text.equals("true") || text.equals("false")
                ? Optional.of(text.equals("true"))
                : Optional.empty(),
        "true or false");
  }

  /** A length of time, not negative. */
  Duration duration(String key, Duration otherwise) {
    return parsed(
        key,
        otherwise,
        text -> Texts.duration(text).filter(each -> !each.isNegative()),
        "a duration such as 90s, 5m or 1h30m");
  }

  /** A length of time, negative too. */
  Duration step(String key, Duration otherwise) {
    return parsed(key, otherwise, Texts::duration, "a duration such as -1h or 250ms");
  }

  /** A block of addresses, which must be there. */
  Cidr cidr(String key) {
    Cidr harmless = Cidr.parse("192.0.2.0/24");
    String text = requiredText(key);
    Optional<Cidr> cidr = Cidr.tryParse(text);
    if (cidr.isEmpty() && !text.equals("?")) {
      problem(key, "is '" + text + "'", "Write a CIDR such as 10.0.0.0/20.");
    }
    return cidr.orElse(harmless);
  }

  private <T> T parsed(
      String key, T otherwise, Function<String, Optional<T>> parser, String expected) {
    Optional<String> text = text(key);
    if (text.isEmpty()) {
      return otherwise;
    }
    Optional<T> value;
    try {
      value = parser.apply(text.get());
    } catch (NumberFormatException e) {
      value = Optional.empty();
    }
    if (value.isEmpty()) {
      problem(key, "is '" + text.get() + "'", "Write " + expected + ".");
    }
    return value.orElse(otherwise);
  }

  /** A list of texts; empty when absent. */
  List<String> texts(String key) {
    List<String> texts = new ArrayList<>();
    for (Tree each : items(key)) {
      if (each instanceof Tree.Scalar scalar) {
        texts.add(scalar.text());
      } else {
        problem(join(key), each.line(), "holds " + each.kind(), "Write a list of values.");
      }
    }
    return texts;
  }

  /** A list of mappings; empty when absent. */
  <T> List<T> sections(String key, Function<Section, T> reader) {
    List<T> found = new ArrayList<>();
    int index = 0;
    for (Tree each : items(key)) {
      Section section = new Section(where, join(key) + "[" + index++ + "]", each, problems);
      found.add(reader.apply(section));
      section.end();
    }
    return found;
  }

  private List<Tree> items(String key) {
    known.add(key);
    Tree tree = fields.get(key);
    if (tree == null) {
      return List.of();
    }
    if (tree instanceof Tree.Items list) {
      return list.items();
    }
    problem(key, "is " + tree.kind(), "Write a list.");
    return List.of();
  }

  /** A mapping; an empty one when absent. */
  <T> T section(String key, Function<Section, T> reader) {
    known.add(key);
    Tree tree = fields.getOrDefault(key, new Tree.Scalar("", line));
    Section section = new Section(where, join(key), tree, problems);
    T value = reader.apply(section);
    section.end();
    return value;
  }

  /** A mapping with keys of the reader's choice; an empty one when absent. */
  <T> SortedMap<String, T> map(String key, BiFunction<Section, String, T> reader) {
    return section(
        key,
        section -> {
          SortedMap<String, T> map = new TreeMap<>();
          for (String each : section.fields.keySet()) {
            map.put(each, reader.apply(section, each));
          }
          return map;
        });
  }

  /** Reports every key that was not read. */
  void end() {
    Map<String, Tree> unknown = new LinkedHashMap<>(fields);
    unknown.keySet().removeAll(known);
    unknown.forEach(
        (key, tree) ->
            problem(
                join(key),
                tree.line(),
                "is unknown",
                "Remove it; known here: " + String.join(", ", known) + "."));
  }

  private String join(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }
}
