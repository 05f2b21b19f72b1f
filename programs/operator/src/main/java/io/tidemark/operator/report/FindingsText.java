package io.tidemark.operator.report;

import io.tidemark.program.console.TextTable;
import io.tidemark.spi.Finding;
import java.util.List;
import java.util.Locale;

/** The findings of {@code doctor}, for people. Stateless. */
public final class FindingsText {
  private FindingsText() {}

  /** A table of all findings, then the remedies, with text to copy. */
  public static String print(String provider, List<Finding> findings) {
    if (findings.isEmpty()) {
      return "provider " + provider + " has no checks\n";
    }
    TextTable table = new TextTable("AREA", "WHAT", "RESULT", "WHY");
    findings.forEach(
        each ->
            table.row(
                each.area(),
                each.subject(),
                each.verdict().text(),
                each.detail().isEmpty() ? "-" : each.detail()));
    StringBuilder text = new StringBuilder(table.text());
    findings.stream().filter(each -> !each.remedy().isEmpty()).forEach(each -> add(text, each));
    long wrong = findings.stream().filter(each -> each.verdict().isWrong()).count();
    long unfinished = findings.stream().filter(FindingsText::isUnfinished).count();
    return text.append(
            String.format(Locale.ROOT, "%n%d of %d missing or failed", wrong, findings.size()))
        .append(unfinished == 0 ? "" : ", " + unfinished + " not finished")
        .append('\n')
        .toString()
        .replace(System.lineSeparator(), "\n");
  }

  private static boolean isUnfinished(Finding each) {
    return each.verdict() == Finding.Verdict.UNFINISHED;
  }

  private static void add(StringBuilder text, Finding each) {
    text.append('\n')
        .append(each.subject())
        .append(": ")
        .append(each.verdict().text())
        .append(". ")
        .append(each.remedy())
        .append('\n');
    each.snippet().ifPresent(snippet -> text.append(snippet.indent(2)));
  }
}
