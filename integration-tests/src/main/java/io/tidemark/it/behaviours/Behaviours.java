package io.tidemark.it.behaviours;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * Tells which listed behaviours have no proof. {@code java Behaviours.java DIRECTORY} reads {@code
 * docs/internals/behaviours.txt}, the Surefire reports of all modules and the benchmarks' sources
 * below the directory. It uses the JDK alone, so that it runs from its source.
 *
 * <p>A test proves an id that stands, as a whole word, in its display name or in that of its class,
 * when it passed and no other test of that id failed; a skipped test proves nothing. With {@code
 * --usual} an id of which there is no report is left to the full gate if the source of a test with
 * a tag names it.
 *
 * <p>Exit codes: 0 everything is proved, 1 something is missing, 2 a file cannot be read.
 */
public final class Behaviours {
  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9]+(-[A-Za-z0-9]+)*");

  /**
   * A text with the form of an id of the list; one that the list does not hold is a slip of the
   * pen.
   */
  private static final Pattern ID =
      Pattern.compile(
          "(NM-[A-Z]|NC-(AM|[BIKLP])?|NI-(AM|[DJ])?|C-AWS-|C-AZ-|AZ-[BN]|AWS-|[CDF]-|AI|DI)[0-9]+|A[0-9]{2}|D[0-9]{2,3}|P[0-9]");

  private static final Pattern BENCHMARKS = Pattern.compile("/src/main/java/.*/benchmark/");

  private enum Kind {
    TEST,
    BENCHMARK
  }

  private record Behaviour(String id, Kind kind, String subject) {}

  /** The evidence of the reports and sources: ids by the fate of the tests that name them. */
  private record Evidence(
      Set<String> passed, Set<String> failed, Set<String> measured, Set<String> later, int tests) {
    boolean proves(Behaviour behaviour) {
      return behaviour.kind() == Kind.BENCHMARK
          ? measured.contains(behaviour.id())
          : passed.contains(behaviour.id()) && !failed.contains(behaviour.id());
    }

    boolean leaves(Behaviour behaviour) {
      return behaviour.kind() == Kind.TEST
          && later.contains(behaviour.id())
          && !passed.contains(behaviour.id())
          && !failed.contains(behaviour.id());
    }
  }

  /** A file whose content is not what it should be; the message names file and line. */
  private static final class BadFile extends Exception {
    private static final long serialVersionUID = 1;

    BadFile(String message) {
      super(message);
    }
  }

  private Behaviours() {}

  /** Prints what is missing below the directory that is the last argument, and exits. */
  public static void main(String[] arguments) {
    boolean usual = arguments.length == 2 && arguments[0].equals("--usual");
    if (arguments.length != 1 && !usual) {
      System.err.println("usage: behaviours [--usual] DIRECTORY, the root of the checkout");
      System.exit(2);
    }
    StringBuilder report = new StringBuilder();
    int status = run(Path.of(arguments[arguments.length - 1]), usual, report);
    System.out.print(report);
    System.exit(status);
  }

  /** Writes the report about a checkout; the result is the exit code. */
  static int run(Path root, boolean usual, StringBuilder report) {
    try {
      Map<String, Behaviour> listed = read(root.resolve("docs/internals/behaviours.txt"));
      Evidence evidence = gather(root, usual);
      return compare(listed, evidence, report);
    } catch (BadFile e) {
      report.append("behaviours: ").append(e.getMessage()).append('\n');
    } catch (IOException | ParserConfigurationException e) {
      report.append("behaviours: cannot read: ").append(e).append('\n');
    }
    return 2;
  }

  private static int compare(
      Map<String, Behaviour> listed, Evidence evidence, StringBuilder report) {
    List<String> missing = new ArrayList<>();
    List<String> left = new ArrayList<>();
    for (Behaviour behaviour : listed.values()) {
      if (evidence.leaves(behaviour)) {
        left.add(behaviour.id());
      } else if (!evidence.proves(behaviour)) {
        String why =
            behaviour.kind() == Kind.BENCHMARK
                ? "no benchmark"
                : evidence.failed().contains(behaviour.id()) ? "test failed" : "no passing test";
        missing.add(behaviour.id() + " (" + why + "): " + behaviour.subject());
      }
    }
    Set<String> unknown = new TreeSet<>(evidence.passed());
    unknown.addAll(evidence.failed());
    unknown.addAll(evidence.measured());
    unknown.removeIf(word -> listed.containsKey(word) || !ID.matcher(word).matches());
    for (String line : missing) {
      report.append("missing  ").append(line).append('\n');
    }
    for (String id : unknown) {
      report.append("unknown  ").append(id).append(" is named by a test, but not listed\n");
    }
    if (!left.isEmpty()) {
      report.append("left to the full gate: ").append(String.join(", ", left)).append('\n');
    }
    report.append("behaviours: ").append(listed.size()).append(" listed, ");
    report.append(listed.size() - missing.size() - left.size()).append(" proved, ");
    report.append(missing.size()).append(" missing, ").append(unknown.size()).append(" unknown, ");
    report.append("from ").append(evidence.tests()).append(" tests\n");
    return missing.isEmpty() && unknown.isEmpty() ? 0 : 1;
  }

  private static Map<String, Behaviour> read(Path file) throws IOException, BadFile {
    Map<String, Behaviour> listed = new LinkedHashMap<>();
    int number = 0;
    for (String line : Files.readAllLines(file, UTF_8)) {
      number++;
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] cells = line.split("\t", -1);
      if (cells.length != 3 || !cells[1].matches("test|benchmark") || cells[2].isBlank()) {
        throw new BadFile(file + ":" + number + ": expected id, tab, test|benchmark, tab, subject");
      }
      Kind kind = Kind.valueOf(cells[1].toUpperCase(Locale.ROOT));
      if (listed.put(cells[0], new Behaviour(cells[0], kind, cells[2])) != null) {
        throw new BadFile(file + ":" + number + ": " + cells[0] + " is listed twice");
      }
    }
    return listed;
  }

  private static Evidence gather(Path root, boolean usual)
      throws IOException, ParserConfigurationException, BadFile {
    Set<String> passed = new TreeSet<>();
    Set<String> failed = new TreeSet<>();
    Set<String> measured = new TreeSet<>();
    int tests = 0;
    for (Path report : reports(root)) {
      NodeList cases = parse(report).getElementsByTagName("testcase");
      for (int i = 0; i < cases.getLength(); i++) {
        Element test = (Element) cases.item(i);
        tests++;
        String names = test.getAttribute("name") + " " + test.getAttribute("classname");
        if (has(test, "failure") || has(test, "error")) {
          failed.addAll(words(names));
        } else if (!has(test, "skipped")) {
          passed.addAll(words(names));
        }
      }
    }
    for (Path source : benchmarks(root)) {
      measured.addAll(words(Files.readString(source, UTF_8)));
    }
    return new Evidence(passed, failed, measured, usual ? tagged(root) : Set.of(), tests);
  }

  /** The words in the sources of tests with a tag. */
  private static Set<String> tagged(Path root) throws IOException {
    Set<String> words = new TreeSet<>();
    for (Path module : modules(root)) {
      for (Path file : javaFiles(module.resolve("src/test/java"))) {
        String text = Files.readString(file, UTF_8);
        if (text.contains("@Tag(\"")) {
          words.addAll(words(text));
        }
      }
    }
    return words;
  }

  private static List<Path> reports(Path root) throws IOException {
    List<Path> reports = new ArrayList<>();
    for (Path module : modules(root)) {
      for (Path file : list(module.resolve("target/surefire-reports"))) {
        if (file.getFileName().toString().matches("TEST-.*\\.xml")) {
          reports.add(file);
        }
      }
    }
    return reports;
  }

  /** The folders of the root and theirs, which modules are among. */
  private static List<Path> modules(Path root) throws IOException {
    try (Stream<Path> folders = Files.find(root, 2, (path, kind) -> kind.isDirectory())) {
      return folders.sorted().toList();
    }
  }

  private static List<Path> list(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> children = Files.list(directory)) {
      return children.sorted().toList();
    }
  }

  private static List<Path> benchmarks(Path root) throws IOException {
    return javaFiles(root.resolve("integration-tests/src/main/java")).stream()
        .filter(file -> BENCHMARKS.matcher(file.toString()).find())
        .toList();
  }

  private static List<Path> javaFiles(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }

  private static Element parse(Path report)
      throws IOException, ParserConfigurationException, BadFile {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    try {
      DocumentBuilder builder = factory.newDocumentBuilder();
      builder.setErrorHandler(new DefaultHandler());
      return builder.parse(report.toFile()).getDocumentElement();
    } catch (SAXException e) {
      throw new BadFile(report + ": not a test report: " + e.getMessage());
    }
  }

  private static boolean has(Element test, String child) {
    return test.getElementsByTagName(child).getLength() > 0;
  }

  /**
   * Whole words, hyphens inside: {@code C-16} does not stand in {@code C-161} or {@code C-16-x}.
   */
  private static Set<String> words(String text) {
    Set<String> words = new TreeSet<>();
    Matcher matcher = WORD.matcher(text);
    while (matcher.find()) {
      words.add(matcher.group());
    }
    return words;
  }
}
