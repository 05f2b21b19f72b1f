package io.tidemark.operator.report;

import io.tidemark.error.ErrorCode;
import java.util.List;
import java.util.Optional;

/**
 * A node in a report, whatever the system does for it.
 *
 * @param columns what the tables show of it between name and state
 * @param details what only documents for programs have besides
 * @param state as published
 * @param settled whether nothing is to be done for it, by the system or by a person
 * @param missing how much of what it needs it does not have; 0 when it has everything
 * @param problem what stands in the way
 */
public record NodeRow(
    String name,
    List<Column> columns,
    List<Column> details,
    String state,
    boolean settled,
    long missing,
    Optional<Problem> problem) {
  /**
   * One value of a node.
   *
   * @param key in documents for programs; in upper case the heading in tables
   * @param value a number, a text, a list of texts, or empty for what is not known
   */
  public record Column(String key, Optional<Object> value) {
    /** A value that is known. */
    public static Column of(String key, Object value) {
      return new Column(key, Optional.of(value));
    }

    /** In a table or a log line. */
    public String text() {
      if (value.isPresent() && value.get() instanceof List<?> items) {
        return items.isEmpty()
            ? "-"
            : String.join(",", items.stream().map(String::valueOf).toList());
      }
      return value.map(Object::toString).orElse("-");
    }
  }

  /**
   * Why a node does not get what it needs.
   *
   * @param stops whether it gets nothing more before that is solved
   */
  public record Problem(ErrorCode code, String detail, boolean stops) {
    /** Code, name and what was found. */
    public String text() {
      return code.label() + ' ' + code.name() + ": " + detail;
    }
  }

  /** The code of the problem, or a dash. */
  public String reason() {
    return problem.map(why -> why.code().label()).orElse("-");
  }
}
