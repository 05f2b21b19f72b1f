package io.tidemark.emulator.kit.scenario;

import io.tidemark.ip.Cidr;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * One mapping of a file that is being read. Every accessor notes what is wrong and goes on with a
 * harmless value, so that all problems are told together. Used by one thread.
 */
public final class Section {
  private final String where;
  private final String path;
  private final int line;
  private final Map<String, Tree> fields;
  private final List<ScenarioProblem> problems;
  private final Set<String> known = new LinkedHashSet<>();

  public Section(String where, String path, Tree tree, List<ScenarioProblem> problems) {
    this.where = where;
    this.path = path;
    this.line = tree.line();
    this.problems = problems;
    this.fields = tree instanceof Tree.Fields mapping ? mapping.fields() : Map.of();
    boolean none = tree instanceof Tree.Scalar scalar && scalar.text().isEmpty();
    if (!none && !(tree instanceof Tree.Fields)) {
      problem(path, line, "is " + tree.kind(), "Write a mapping of keys and values.");
    }
  }

  /** Where this mapping stands. */
  public Place place() {
    return new Place(where + ":" + line, path);
  }

  /** Notes a problem of the value under {@code key}. */
  public void problem(String key, String problem, String remedy) {
    Tree at = fields.get(key);
    problem(join(key), at == null ? line : at.line(), problem, remedy);
  }

  private void problem(String at, int atLine, String problem, String remedy) {
    problems.add(new ScenarioProblem(where + ":" + atLine, at, problem, remedy));
  }

  /** The keys that stand here, for mappings whose keys are names. */
  public Set<String> keys() {
    return fields.keySet();
  }

  /** Whether the key is there. */
  public boolean has(String key) {
    known.add(key);
    return fields.containsKey(key);
  }

  /** The text; empty when absent. */
  public Optional<String> text(String key) {
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

  /** The text, which must be there and not be empty. */
  public Optional<String> needed(String key) {
    if (!has(key)) {
      problem(key, "is missing", "Add it.");
      return Optional.empty();
    }
    Optional<String> text = text(key);
    if (text.isPresent() && text.get().isEmpty()) {
      problem(key, "is empty", "Write a value.");
    }
    return text.filter(each -> !each.isEmpty());
  }

  /**
   * The value that {@code parser} makes of the text; {@code otherwise} when absent.
   *
   * @param parser empty when the text is none of what is expected
   */
  public <T> T value(
      String key, T otherwise, String expected, Function<String, Optional<T>> parser) {
    return text(key).flatMap(text -> parsed(key, text, expected, parser)).orElse(otherwise);
  }

  /** The same for a key that must be there. */
  public <T> Optional<T> neededValue(
      String key, String expected, Function<String, Optional<T>> parser) {
    return needed(key).flatMap(text -> parsed(key, text, expected, parser));
  }

  private <T> Optional<T> parsed(
      String key, String text, String expected, Function<String, Optional<T>> parser) {
    Optional<T> value = parser.apply(text);
    if (value.isEmpty()) {
      problem(key, "is '" + text + "'", "Write " + expected + ".");
    }
    return value;
  }

  /** A whole number within these bounds. */
  public int number(String key, int otherwise, int least, int most) {
    return value(
        key,
        otherwise,
        "a whole number from " + least + " to " + most,
        text -> Texts.number(text).filter(n -> n >= least && n <= most).map(Long::intValue));
  }

  /** A part of one, 0 to 1. */
  public double share(String key, double otherwise) {
    return value(
        key,
        otherwise,
        "a number from 0 to 1",
        text -> Texts.decimal(text).filter(n -> n >= 0 && n <= 1));
  }

  /** A yes or no. */
  public boolean flag(String key, boolean otherwise) {
    return value(
        key,
        otherwise,
        "true or false",
        text ->
            text.equals("true") || text.equals("false")
                ? Optional.of(text.equals("true"))
                : Optional.empty());
  }

  /** An IPv4 block, which must be there. */
  public Optional<Cidr> block(String key) {
    return neededValue(key, "an IPv4 block such as 10.0.0.0/20", Texts::block);
  }

  /** A list of texts, each accepted by {@code parser}; empty when absent. */
  public <T> List<T> values(String key, String expected, Function<String, Optional<T>> parser) {
    List<T> values = new ArrayList<>();
    int index = 0;
    for (Tree each : items(key)) {
      String at = join(key) + "[" + index++ + "]";
      String text = each instanceof Tree.Scalar scalar ? scalar.text() : "";
      Optional<T> value = each instanceof Tree.Scalar ? parser.apply(text) : Optional.empty();
      value.ifPresent(values::add);
      if (value.isEmpty()) {
        String is = each instanceof Tree.Scalar ? "'" + text + "'" : each.kind();
        problem(at, each.line(), "is " + is, "Write " + expected + ".");
      }
    }
    return values;
  }

  /** A list of mappings; empty when absent. */
  public <T> List<T> sections(String key, Function<Section, T> reader) {
    List<T> found = new ArrayList<>();
    int index = 0;
    for (Tree each : items(key)) {
      Section section = new Section(where, join(key) + "[" + index++ + "]", each, problems);
      found.add(reader.apply(section));
      section.end();
    }
    return found;
  }

  /** A mapping; an empty one when absent. */
  public <T> T section(String key, Function<Section, T> reader) {
    known.add(key);
    Tree tree = fields.getOrDefault(key, new Tree.Scalar("", line));
    Section section = new Section(where, join(key), tree, problems);
    T value = reader.apply(section);
    section.end();
    return value;
  }

  /** A mapping of names to texts; an empty one when absent. */
  public SortedMap<String, String> texts(String key) {
    return section(
        key,
        section -> {
          SortedMap<String, String> texts = new TreeMap<>();
          section.keys().forEach(name -> section.text(name).ifPresent(t -> texts.put(name, t)));
          return texts;
        });
  }

  /** Notes every key that nobody asked for. */
  public void end() {
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

  private String join(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }
}
