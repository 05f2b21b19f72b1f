package io.tidemark.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The commands that the documents tell a reader to run. */
public final class DocumentCommands {
  private static final Pattern CALL = Pattern.compile("(?:\\./)?tidemark\\s+([a-z].*)");
  private static final Pattern PLUGIN = Pattern.compile("kubectl tidemark\\s+([a-z].*)");
  private static final Pattern IN_TEXT =
      Pattern.compile("`((?:\\./|kubectl )?tidemark\\s[^`]+)`", Pattern.DOTALL);
  private static final Pattern FENCED =
      Pattern.compile("^```(\\w*)\n(.*?)^```", Pattern.DOTALL | Pattern.MULTILINE);
  private static final Pattern WORD = Pattern.compile("(?:[^\\s'\"]|'[^']*'|\"[^\"]*\")+");
  private static final Pattern ASSIGNMENT = Pattern.compile("[A-Z_]+=.*");

  private DocumentCommands() {}

  /**
   * A fenced block of shell commands.
   *
   * @param document path from the top of the checkout
   * @param line of its first command, from 1
   */
  public record Block(String document, int line, String text) {
    /** Its first line. */
    public String first() {
      return text.lines().findFirst().orElse("");
    }

    /** Its commands, one each, without variables before them and comments behind. */
    public List<String> commands() {
      return DocumentCommands.commands(text);
    }

    @Override
    public String toString() {
      return document + ':' + line;
    }
  }

  /**
   * A call of the program.
   *
   * @param place document, and line of its block
   * @param words its arguments
   * @param inText whether it stands in a sentence, where arguments may be missing
   */
  public record Call(String place, List<String> words, boolean inText) {
    /** Its words behind the first, which can name a program. */
    public String[] arguments() {
      return words.stream().skip(1).toArray(String[]::new);
    }

    @Override
    public String toString() {
      return place + ": " + String.join(" ", words);
    }
  }

  /** Every document, by its path from the top: the pages, and those beside what they describe. */
  public static List<String> documents() {
    try (Stream<Path> docs = Files.walk(Repository.root().resolve("docs"));
        Stream<Path> gate = Files.walk(Repository.root().resolve(".ci"), 2)) {
      Stream<String> deep =
          Stream.concat(docs, gate)
              .filter(file -> file.toString().endsWith(".md"))
              .map(file -> Repository.root().relativize(file).toString());
      return Stream.concat(
              Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"), deep)
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Every block of shell commands, in the order of the documents. */
  public static List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    for (String document : documents()) {
      String text = Repository.text(document);
      Matcher fenced = FENCED.matcher(text);
      while (fenced.find()) {
        if (fenced.group(1).equals("sh")) {
          int line =
              1 + (int) text.substring(0, fenced.start(2)).chars().filter(c -> c == '\n').count();
          blocks.add(new Block(document, line, fenced.group(2)));
        }
      }
    }
    return blocks;
  }

  /** Every call of the program, in blocks and in sentences. */
  public static List<Call> calls() {
    List<Call> calls = new ArrayList<>();
    for (Block block : blocks()) {
      for (String command : block.commands()) {
        call(block.toString(), command, false).ifPresent(calls::add);
      }
    }
    for (String document : documents()) {
      String prose = FENCED.matcher(Repository.text(document)).replaceAll("");
      Matcher code = IN_TEXT.matcher(prose);
      while (code.find()) {
        call(document, code.group(1).replaceAll("\\s+", " "), true).ifPresent(calls::add);
      }
    }
    return calls;
  }

  /** Every call whose first word is this one. */
  public static List<Call> calls(String program) {
    return calls().stream().filter(call -> call.words().get(0).equals(program)).toList();
  }

  /** The commands of a script, one each, without variables before them and comments behind. */
  static List<String> commands(String script) {
    List<String> commands = new ArrayList<>();
    for (String line : script.replaceAll("\\\\\n\\s*", " ").split("\n", -1)) {
      List<String> words = new ArrayList<>();
      Matcher word = WORD.matcher(line);
      while (word.find()) {
        String each = word.group();
        if (each.startsWith("#")) {
          break;
        }
        if (each.equals("|") || each.equals("&&")) {
          commands.add(String.join(" ", words));
          words.clear();
        } else if (!words.isEmpty() || !ASSIGNMENT.matcher(each).matches()) {
          words.add(each);
        }
      }
      commands.add(String.join(" ", words));
    }
    return commands.stream().filter(command -> !command.isEmpty()).toList();
  }

  private static Optional<Call> call(String place, String command, boolean inText) {
    Matcher plugin = PLUGIN.matcher(command);
    if (plugin.matches()) {
      return Optional.of(new Call(place, words("kubectl " + plugin.group(1)), inText));
    }
    Matcher call = CALL.matcher(command);
    return call.matches()
        ? Optional.of(new Call(place, words(call.group(1)), inText))
        : Optional.empty();
  }

  private static List<String> words(String command) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(command);
    while (word.find()) {
      words.add(word.group().replaceAll("['\"]", ""));
    }
    return words;
  }
}
