package io.tidemark.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.error.ErrorCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Keeps docs/errors.md and the enums of error codes the same; for the tests of core and of every
 * provider that has codes of its own.
 */
public final class ErrorDocs {
  private static final String PAGE = "docs/errors.md";
  private static final Pattern ROW = Pattern.compile("(?m)^\\| TM-\\d+ .*$");

  private ErrorDocs() {}

  /** The row of the page that {@code code} must have. */
  public static String row(ErrorCode code) {
    return "| " + String.join(" | ", code.label(), code.name(), kind(code), code.remedy()) + " |";
  }

  private static String kind(ErrorCode code) {
    return switch (code.kind()) {
      case USAGE -> "usage";
      case CONFIGURATION -> "configuration";
      case CAPACITY -> "capacity";
      case RETRYABLE -> "retryable";
      case INTERNAL -> "internal";
    };
  }

  /**
   * Fails unless the page lists exactly the codes of {@code enums} in the range from {@code first}
   * to {@code last}, as they are.
   */
  public static void assertListed(int first, int last, List<? extends Class<?>> enums) {
    List<String> expected = new ArrayList<>();
    for (ErrorCode code : codes(enums)) {
      assertThat(code.number()).as(code.name()).isBetween(first, last);
      expected.add(row(code));
    }
    List<String> found = rows(first, last);
    assertThat(found)
        .as("rows of %s from %d to %d; expected:%n%s", PAGE, first, last, lines(expected))
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  /** Fails unless every number is used once and every remedy is a sentence. */
  public static void assertSound(List<? extends Class<?>> enums) {
    Map<Integer, String> names = new HashMap<>();
    for (ErrorCode code : codes(enums)) {
      assertThat(names.put(code.number(), code.name()))
          .as(code.label() + " is used twice")
          .isNull();
      assertThat(code.remedy()).as(code.name()).matches("[A-Z].*\\.").doesNotContain("|");
    }
  }

  private static List<ErrorCode> codes(List<? extends Class<?>> enums) {
    List<ErrorCode> codes = new ArrayList<>();
    for (Class<?> each : enums) {
      Object[] constants = each.getEnumConstants();
      assertThat(constants).as(each + " is an enum").isNotNull();
      for (Object constant : constants) {
        codes.add((ErrorCode) constant);
      }
    }
    return codes;
  }

  private static List<String> rows(int first, int last) {
    List<String> rows = new ArrayList<>();
    Matcher matcher = ROW.matcher(Repository.text(PAGE));
    while (matcher.find()) {
      String row = matcher.group();
      int number = Integer.parseInt(row.substring(5, row.indexOf(' ', 5)));
      if (number >= first && number <= last) {
        rows.add(row);
      }
    }
    return rows;
  }

  private static String lines(List<String> rows) {
    return String.join(System.lineSeparator(), rows);
  }
}
