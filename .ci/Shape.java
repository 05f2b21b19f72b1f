import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The table of {@code .ci/shape}; run as a source file. */
public final class Shape {
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
  private static final Pattern PUBLIC =
      Pattern.compile(
          "(?m)^public (?:final |sealed |abstract |non-sealed"
              + " )*(?:class|interface|record|enum|@interface) ");
  private static final Pattern WORD = Pattern.compile("\\b[A-Z]\\w*\\b");
  private static final Pattern HEADLESS = Pattern.compile("(/\\*\\*|//|^\\s*\\*) What ");

  private static final String KEYWORDS =
      "(?:(?:public|protected|private|static|final|abstract|sealed|non-sealed|strictfp) +)*"
          + "(?:class|interface|record|enum|@interface) ";
  private static final Pattern DECLARED = Pattern.compile("(?m)^ *" + KEYWORDS + "([A-Z]\\w*)");
  private static final Pattern IMPORT =
      Pattern.compile("(?m)^import (?:static )?([a-z][a-z\\d.]*)\\.([A-Z]\\w*)");
  private static final Pattern STATIC_IMPORT =
      Pattern.compile("(?m)^import static ([a-z][a-z\\d.]*\\.[A-Z]\\w*)");
  private static final Pattern SIMPLE = Pattern.compile("(?<![\\w.])[A-Z]\\w*");
  private static final Pattern QUALIFIED =
      Pattern.compile("\\b([a-z][a-z\\d]*(?:\\.[a-z][a-z\\d]*)+)\\.([A-Z]\\w*)");

  /** A text block, a string, a character, a comment: no place where a type is used. */
  private static final Pattern PROSE =
      Pattern.compile(
          "(\"\"\"(?s:.*?)\"\"\"|\"[^\"\\\\\n]*+(?:\\\\.[^\"\\\\\n]*+)*+\"|'(?:\\\\.|[^'\\\\])'|)"
              + "(/\\*(?s:.*?)\\*/|//[^\n]*|)");

  /** NodeWalkTest keeps this row true. */
  private static final Pattern WALK =
      Pattern.compile("\\| the walk: the first four \\| (\\d+) \\| (\\d+) \\|");

  /** A circle of more files needs a line in the file of limits. */
  private static final int CIRCLE_FILES = 4;

  /** The modules that are not part of what a cluster runs. */
  private static final Pattern BESIDE =
      Pattern.compile(
          "(.*/)?(ec2-emulator|arm-emulator|emulator-kit|simulation|examples|integration-tests)"
              + "(/.*)?");

  private record Type(String module, String inPackage, String name, String text, String code) {
    long lines() {
      return text.lines().count();
    }

    boolean isPublic() {
      return PUBLIC.matcher(text).find();
    }

    long declared() {
      return DECLARED.matcher(code).results().count();
    }

    String qualified() {
      return inPackage + "." + name;
    }

    /** Without imports, which are no use of a type. */
    String body() {
      return code.replaceAll("(?m)^import .*$", "");
    }

    /** Whether a type of the same name is declared within it. */
    boolean declares(String simple) {
      return DECLARED.matcher(code).results().anyMatch(found -> found.group(1).equals(simple));
    }
  }

  private Shape() {}

  public static void main(String[] arguments) throws IOException {
    Path root = Path.of(arguments[0]);
    Map<String, List<Type>> packages = new TreeMap<>();
    for (Path file : sources(root, Shape::isMain)) {
      String text = Files.readString(file);
      Matcher matcher = PACKAGE.matcher(text);
      if (matcher.find()) {
        String name = file.getFileName().toString().replace(".java", "");
        String module = root.relativize(file).toString().replaceAll("/src/main/.*", "");
        packages
            .computeIfAbsent(matcher.group(1), key -> new ArrayList<>())
            .add(new Type(module, matcher.group(1), name, text, bare(text)));
      }
    }
    List<Type> all = packages.values().stream().flatMap(List::stream).toList();
    List<Set<String>> circles = circles(packages);
    if (arguments.length > 2) {
      List<String> limits =
          Files.readAllLines(Path.of(arguments[2])).stream()
              .filter(line -> !line.isBlank() && !line.startsWith("#"))
              .toList();
      boolean kept = check(packages, limits) & allowed(circles, limits) & nounsFirst(root);
      System.exit(kept ? 0 : 1);
    }
    print(packages, arguments[1]);
    if (arguments[1].isEmpty()) {
      copies(packages);
      print(circles);
      figures(root, all, circles);
    }
  }

  private static void figures(Path root, List<Type> all, List<Set<String>> circles)
      throws IOException {
    long tests = 0;
    for (Path file : sources(root, each -> each.toString().contains("/src/test/java/"))) {
      tests += Files.readString(file).lines().count();
    }
    List<Type> product =
        all.stream().filter(type -> !BESIDE.matcher(type.module()).matches()).toList();
    int largest = circles.stream().mapToInt(Set::size).max().orElse(0);
    System.out.printf("%n%-62s %8s%n", "FIGURE", "NOW");
    String row = "%-62s %8d%n";
    System.out.printf(row, "main lines", all.stream().mapToLong(Type::lines).sum());
    System.out.printf(
        row,
        "main lines without emulators, simulation, examples, tests",
        product.stream().mapToLong(Type::lines).sum());
    long types = all.stream().mapToLong(Type::declared).sum();
    System.out.printf(row, "types, nested ones included", types);
    System.out.printf(row, "test lines", tests);
    System.out.printf(row, "circles of files", circles.size());
    System.out.printf(row, "files in circles", circles.stream().mapToInt(Set::size).sum());
    System.out.printf(row, "files of the largest circle", largest);
    System.out.printf(
        row,
        "circles of more than " + CIRCLE_FILES + " files",
        circles.stream().filter(circle -> circle.size() > CIRCLE_FILES).count());
    WALK.matcher(Files.readString(root.resolve("docs/internals/walk.md")))
        .results()
        .forEach(
            found -> {
              System.out.printf(row, "files executed by a burst", Long.valueOf(found.group(1)));
              System.out.printf(row, "files that decide in it", Long.valueOf(found.group(2)));
            });
  }

  private static void print(List<Set<String>> circles) {
    System.out.printf("%n%-44s %8s  %s%n", "CIRCLE, ITS FIRST FILE", "FILES", "THE OTHERS");
    for (Set<String> circle : circles) {
      String first = circle.iterator().next();
      String start = first.substring(0, first.lastIndexOf('.') + 1);
      String others =
          circle.stream()
              .skip(1)
              .map(each -> each.startsWith(start) ? each.substring(start.length()) : each)
              .collect(Collectors.joining(" "));
      System.out.printf("%-44s %8d  %s%n", first, circle.size(), others);
    }
  }

  /** Files that refer to each other in a circle, the largest first. */
  private static List<Set<String>> circles(Map<String, List<Type>> packages) {
    Map<String, Set<String>> uses = new HashMap<>();
    for (List<Type> each : packages.values()) {
      Set<String> beside = each.stream().map(Type::name).collect(Collectors.toSet());
      for (Type type : real(each)) {
        uses.put(type.qualified(), used(type, beside));
      }
    }
    uses.forEach(
        (name, used) -> used.removeIf(each -> each.equals(name) || !uses.containsKey(each)));
    Map<Integer, Set<String>> members = new HashMap<>();
    new Cycles(uses)
        .found()
        .forEach((name, cycle) -> members.computeIfAbsent(cycle, key -> new TreeSet<>()).add(name));
    return members.values().stream()
        .filter(circle -> circle.size() > 1)
        .sorted(
            Comparator.comparing((Set<String> circle) -> -circle.size())
                .thenComparing(circle -> circle.iterator().next()))
        .toList();
  }

  /** Qualified names that a file refers to in its code, whether they exist or not. */
  private static Set<String> used(Type type, Set<String> beside) {
    Map<String, String> imported = new HashMap<>();
    IMPORT
        .matcher(type.code())
        .results()
        .forEach(found -> imported.put(found.group(2), found.group(1) + "." + found.group(2)));
    Set<String> used = new HashSet<>();
    STATIC_IMPORT.matcher(type.code()).results().forEach(found -> used.add(found.group(1)));
    String body = type.body();
    for (String name : SIMPLE.matcher(body).results().map(MatchResult::group).toList()) {
      if (imported.containsKey(name)) {
        used.add(imported.get(name));
      } else if (beside.contains(name) && !type.declares(name)) {
        used.add(type.inPackage() + "." + name);
      }
    }
    QUALIFIED
        .matcher(body)
        .results()
        .forEach(found -> used.add(found.group(1) + "." + found.group(2)));
    return used;
  }

  /** Whether each circle of more files is named with its size and a reason, and no other one. */
  private static boolean allowed(List<Set<String>> circles, List<String> limits) {
    boolean kept = true;
    Set<Set<String>> named = new HashSet<>();
    for (String line : limits) {
      String[] words = line.trim().split("\\s+", 4);
      if (words[0].equals("circle")) {
        Set<String> circle =
            circles.stream()
                .filter(each -> each.contains(words[1]))
                .findFirst()
                .orElse(Set.of(words[1]));
        boolean right = words.length == 4 && circle.size() == Integer.parseInt(words[2]);
        System.out.printf(
            "%-44s %d of %s files in its circle%s%n",
            words[1], circle.size(), words[2], right ? "" : ": correct or remove its line");
        named.add(circle);
        kept &= right;
      }
    }
    for (Set<String> circle : circles) {
      if (circle.size() > CIRCLE_FILES && !named.contains(circle)) {
        System.out.println(circle.size() + " files refer to each other in a circle: " + circle);
        kept = false;
      }
    }
    return kept;
  }

  /** Whether each package of the file of limits has no more types and levels than it says. */
  private static boolean check(Map<String, List<Type>> packages, List<String> limits) {
    boolean kept = true;
    for (String line : limits) {
      if (!line.startsWith("circle ")) {
        String[] limit = line.trim().split("\\s+");
        List<Type> real = real(packages.getOrDefault(limit[0], List.of()));
        boolean within =
            !real.isEmpty()
                && real.size() <= Integer.parseInt(limit[1])
                && levels(real) <= Integer.parseInt(limit[2]);
        System.out.printf(
            "%-44s %d of %s types, %d of %s levels%s%n",
            limit[0], real.size(), limit[1], levels(real), limit[2], within ? "" : ": too many");
        kept &= within;
      }
    }
    return kept;
  }

  /** Whether no line of a comment begins with {@code What}, a clause without its noun. */
  private static boolean nounsFirst(Path root) throws IOException {
    List<String> headless = new ArrayList<>();
    for (Path file : sources(root, each -> true)) {
      List<String> lines = Files.readAllLines(file);
      for (int i = 0; i < lines.size(); i++) {
        if (HEADLESS.matcher(lines.get(i)).find()) {
          headless.add(root.relativize(file) + ":" + (i + 1) + ": " + lines.get(i).strip());
        }
      }
    }
    headless.forEach(System.out::println);
    return headless.isEmpty();
  }

  private static List<Type> real(List<Type> all) {
    return all.stream().filter(type -> !type.name().equals("package-info")).toList();
  }

  private static List<Path> sources(Path root, Predicate<Path> chosen) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(
              file -> file.toString().endsWith(".java") && !file.toString().contains("/target/"))
          .filter(chosen)
          .sorted()
          .toList();
    }
  }

  private static boolean isMain(Path file) {
    return file.toString().contains("/src/main/java/");
  }

  private static void print(Map<String, List<Type>> packages, String prefix) {
    System.out.printf("%-44s %8s %6s %7s %7s%n", "PACKAGE", "LINES", "TYPES", "PUBLIC", "LEVELS");
    long lines = 0;
    long types = 0;
    long open = 0;
    for (Map.Entry<String, List<Type>> each : packages.entrySet()) {
      List<Type> real = real(each.getValue());
      long own = each.getValue().stream().mapToLong(Type::lines).sum();
      long publicTypes = real.stream().filter(Type::isPublic).count();
      if (each.getKey().startsWith(prefix)) {
        System.out.printf(
            "%-44s %8d %6d %7d %7d%n", each.getKey(), own, real.size(), publicTypes, levels(real));
        lines += own;
        types += real.size();
        open += publicTypes;
      }
    }
    System.out.printf("%-44s %8d %6d %7d%n", "all", lines, types, open);
  }

  /** The longest chain of types of one package, those of a cycle counted once. */
  private static int levels(List<Type> types) {
    Set<String> names = types.stream().map(Type::name).collect(Collectors.toSet());
    Map<String, Set<String>> uses = new HashMap<>();
    for (Type type : types) {
      Set<String> used = new HashSet<>();
      WORD.matcher(type.body())
          .results()
          .map(MatchResult::group)
          .filter(names::contains)
          .forEach(used::add);
      used.remove(type.name());
      uses.put(type.name(), used);
    }
    Map<String, Integer> cycle = new Cycles(uses).found();
    Map<Integer, Set<Integer>> below = new HashMap<>();
    uses.forEach(
        (name, used) ->
            used.forEach(
                each -> {
                  if (!cycle.get(each).equals(cycle.get(name))) {
                    below
                        .computeIfAbsent(cycle.get(name), key -> new HashSet<>())
                        .add(cycle.get(each));
                  }
                }));
    Map<Integer, Integer> heights = new HashMap<>();
    return cycle.values().stream().mapToInt(each -> height(each, below, heights)).max().orElse(0);
  }

  private static int height(int of, Map<Integer, Set<Integer>> below, Map<Integer, Integer> known) {
    Integer before = known.get(of);
    if (before != null) {
      return before;
    }
    int height = 1;
    for (int each : below.getOrDefault(of, Set.of())) {
      height = Math.max(height, 1 + height(each, below, known));
    }
    known.put(of, height);
    return height;
  }

  /** Which cycle each type belongs to, by Tarjan; most are alone in theirs. */
  private static final class Cycles {
    private final Map<String, Set<String>> uses;
    private final Map<String, Integer> index = new HashMap<>();
    private final Map<String, Integer> low = new HashMap<>();
    private final Map<String, Integer> cycle = new HashMap<>();
    private final Deque<String> open = new ArrayDeque<>();
    private int cycles;

    Cycles(Map<String, Set<String>> uses) {
      this.uses = uses;
    }

    Map<String, Integer> found() {
      uses.keySet().stream().sorted().filter(each -> !index.containsKey(each)).forEach(this::visit);
      return cycle;
    }

    private void visit(String name) {
      index.put(name, index.size());
      low.put(name, index.get(name));
      open.push(name);
      for (String each : uses.get(name)) {
        if (!index.containsKey(each)) {
          visit(each);
          low.merge(name, low.get(each), Math::min);
        } else if (!cycle.containsKey(each)) {
          low.merge(name, index.get(each), Math::min);
        }
      }
      if (low.get(name).equals(index.get(name))) {
        String member;
        do {
          member = open.pop();
          cycle.put(member, cycles);
        } while (!member.equals(name));
        cycles++;
      }
    }
  }

  private static void copies(Map<String, List<Type>> packages) {
    Map<String, Type> mock = byName(packages, "provider-mock");
    Map<String, Type> aws = byName(packages, "provider-aws");
    System.out.printf("%n%-44s %8s %6s %7s%n", "IN BOTH PROVIDERS", "MOCK", "AWS", "SHARED");
    for (String name : mock.keySet()) {
      if (aws.containsKey(name) && !name.equals("package-info")) {
        List<String> one = bare(mock.get(name));
        List<String> other = new ArrayList<>(bare(aws.get(name)));
        long shared = one.stream().filter(other::remove).count();
        System.out.printf(
            "%-44s %8d %6d %6d%%%n",
            name,
            mock.get(name).lines(),
            aws.get(name).lines(),
            100 * shared / Math.max(1, one.size()));
      }
    }
  }

  private static Map<String, Type> byName(Map<String, List<Type>> packages, String module) {
    Map<String, Type> found = new TreeMap<>();
    packages.values().stream()
        .flatMap(List::stream)
        .filter(type -> type.module().equals(module))
        .forEach(type -> found.put(type.name(), type));
    return found;
  }

  /** Without comments, and with empty strings. */
  private static String bare(String text) {
    return PROSE.matcher(text).replaceAll(found -> found.group(1).isEmpty() ? "" : "\"\"");
  }

  private static List<String> bare(Type type) {
    return type.body().lines().map(String::strip).filter(line -> line.length() > 3).toList();
  }
}
