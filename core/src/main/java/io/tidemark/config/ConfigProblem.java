package io.tidemark.config;

import io.tidemark.error.CoreError;
import io.tidemark.error.ErrorCode;

/**
 * A problem of the settings.
 *
 * @param code the kind of problem
 * @param key the key concerned; empty when the problem concerns a whole file
 * @param value the offending value as written; empty when the key itself is the problem
 * @param origin where the key was given
 * @param problem the description, without key, value and origin
 * @param remedy how to solve this problem
 */
public record ConfigProblem(
    ErrorCode code, String key, String value, String origin, String problem, String remedy) {
  private static final int SHOWN = 80;

  static ConfigProblem unreadable(String origin, String problem, String remedy) {
    return new ConfigProblem(CoreError.CONFIG_UNREADABLE, "", "", origin, problem, remedy);
  }

  /** One line for people. */
  @Override
  public String toString() {
    StringBuilder line = new StringBuilder(origin).append(": ");
    if (!key.isEmpty()) {
      line.append(key);
      if (!value.isEmpty()) {
        line.append('=').append(shortened());
      }
      line.append(' ');
    }
    return line.append(problem)
        .append(". ")
        .append(remedy)
        .append(" (")
        .append(code.label())
        .append(' ')
        .append(code.name())
        .append(')')
        .toString();
  }

  private String shortened() {
    return value.length() <= SHOWN ? value : value.substring(0, SHOWN) + "...";
  }
}
