package io.tidemark.it.localstack;

import io.tidemark.testing.Repository;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Every question, the answers of a server, and the document that tells where two servers differ.
 * The document is made from the questions and the answers alone, so comparing it with the one that
 * the repository holds finds a new difference and one that is no more.
 */
final class Differences {
  /** The document in this repository. */
  static final Path DOCUMENT =
      Repository.root().resolve("docs/internals/ec2-emulator-differences.md");

  /** One is prepared while the server works on the other. */
  private static final int ASKED_AT_ONCE = 2;

  private static final Pattern ROW =
      Pattern.compile("^\\| (.+?) \\| (.+?) \\| (.+?) \\| (.+?) \\|$", Pattern.MULTILINE);

  private static final String HEAD =
      """
      # The emulator and LocalStack, side by side

      This page compares how the EC2 emulator and LocalStack 4.14.0 respond to the same requests of the AWS SDK for Java, or to plain HTTP requests where the
      protocol itself is concerned. Each difference names the AWS document that decides. Text in code type is an error code.

      The tests that send the requests generate this page. `.ci/run` compares it with the committed one: when a response of either side changes, the run fails
      and writes the new page to `integration-tests/target/`.

      """;

  private Differences() {}

  static List<Question> questions() {
    Map<String, List<Question>> bySubject = new LinkedHashMap<>();
    Stream.of(
            AddressQuestions.all(),
            InterfaceQuestions.all(),
            AttachmentQuestions.all(),
            ListingQuestions.all(),
            NetworkQuestions.all(),
            PublicAddressQuestions.all(),
            ProtocolQuestions.all())
        .flatMap(List::stream)
        .forEach(q -> bySubject.computeIfAbsent(q.subject(), subject -> new ArrayList<>()).add(q));
    List<Question> all = bySubject.values().stream().flatMap(List::stream).toList();
    Set<String> texts = new LinkedHashSet<>();
    for (Question question : all) {
      if (!texts.add(key(question))) {
        throw new IllegalStateException("asked twice: " + key(question));
      }
    }
    return all;
  }

  /**
   * The server's answers, by question.
   *
   * @param accounts first digits of the accounts, which no one else may use
   */
  static Map<String, String> answers(URI endpoint, String accounts) {
    ExecutorService threads = Executors.newFixedThreadPool(ASKED_AT_ONCE);
    try {
      Map<String, CompletableFuture<String>> asked = new LinkedHashMap<>();
      for (Question question : questions()) {
        String account = accounts + String.format(Locale.ROOT, "%04d", asked.size());
        asked.put(
            key(question),
            CompletableFuture.supplyAsync(() -> answer(question, endpoint, account), threads));
      }
      Map<String, String> answers = new LinkedHashMap<>();
      asked.forEach((question, answer) -> answers.put(question, answer.join()));
      return answers;
    } finally {
      threads.shutdownNow();
    }
  }

  private static String answer(Question question, URI endpoint, String account) {
    return question.answer(new Scene(endpoint, account));
  }

  /** The document for these answers. */
  static String document(Map<String, String> ours, Map<String, String> theirs) {
    List<Question> questions = questions();
    List<Question> differ =
        questions.stream().filter(q -> !of(ours, q).equals(of(theirs, q))).toList();
    List<Question> agree = questions.stream().filter(q -> !differ.contains(q)).toList();
    StringBuilder out = new StringBuilder(HEAD);
    out.append(
        String.format(
            Locale.ROOT,
            "%d questions: %d answers differ, %d agree.%n%n## Differences%n%n",
            questions.size(),
            differ.size(),
            agree.size()));
    out.append("| Question | Emulator | LocalStack | The AWS rule |\n|---|---|---|---|\n");
    differ.forEach(q -> row(out, q, of(ours, q), of(theirs, q)));
    out.append("\n## The same answers\n\n| Question | Emulator | LocalStack | The AWS rule |\n");
    out.append("|---|---|---|---|\n");
    agree.forEach(q -> row(out, q, of(ours, q), "the same"));
    return out.toString();
  }

  /** The emulator's answers that the repository's document tells, by question. */
  static Map<String, String> documented() throws IOException {
    Map<String, String> answers = new LinkedHashMap<>();
    Matcher rows = ROW.matcher(Files.readString(DOCUMENT));
    while (rows.find()) {
      if (!rows.group(1).equals("Question")) {
        answers.put(rows.group(1), rows.group(2));
      }
    }
    return answers;
  }

  /** The lines that only one of the two documents has, for a message. */
  static List<String> changed(String before, String after) {
    Set<String> old = new LinkedHashSet<>(before.lines().toList());
    Set<String> now = new LinkedHashSet<>(after.lines().toList());
    List<String> changes = new ArrayList<>();
    now.stream().filter(line -> !old.contains(line)).forEach(line -> changes.add("+ " + line));
    old.stream().filter(line -> !now.contains(line)).forEach(line -> changes.add("- " + line));
    return changes;
  }

  private static void row(StringBuilder out, Question question, String ours, String theirs) {
    out.append("| ").append(key(question)).append(" | ").append(ours).append(" | ");
    out.append(theirs).append(" | ").append(question.rule()).append(" |\n");
  }

  private static String of(Map<String, String> answers, Question question) {
    return Objects.requireNonNull(answers.get(key(question)), question.text());
  }

  private static String key(Question question) {
    return question.subject() + ": " + question.text();
  }
}
