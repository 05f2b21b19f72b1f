package io.tidemark.program.console;

import java.util.ArrayList;
import java.util.List;

/** Rows of text with aligned columns; numbers to the right. Not thread-safe. */
public final class TextTable {
  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  /** A table with these headings. */
  public TextTable(String... headings) {
    rows.add(List.of(headings));
  }

  /** Adds a row with as many cells as there are headings. */
  public TextTable row(Object... cells) {
    if (cells.length != rows.get(0).size()) {
      throw new IllegalArgumentException(
          cells.length + " cells for " + rows.get(0).size() + " columns");
    }
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(cell.toString());
    }
    rows.add(List.copyOf(row));
    return this;
  }

  /** The lines, headings first, without trailing blanks. */
  public List<String> lines() {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    boolean[] numbers = new boolean[columns];
    for (int column = 0; column < columns; column++) {
      numbers[column] = rows.size() > 1;
      for (int row = 0; row < rows.size(); row++) {
        String cell = rows.get(row).get(column);
        widths[column] = Math.max(widths[column], cell.length());
        numbers[column] &= row == 0 || isNumber(cell);
      }
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < columns; column++) {
        String blanks = " ".repeat(widths[column] - row.get(column).length());
        line.append(column == 0 ? "" : GAP)
            .append(numbers[column] ? blanks + row.get(column) : row.get(column) + blanks);
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }

  /** All lines, each with its line break. */
  public String text() {
    return String.join("\n", lines()) + "\n";
  }

  private static boolean isNumber(String cell) {
    return !cell.isEmpty() && cell.chars().allMatch(c -> (c >= '0' && c <= '9') || c == '.');
  }
}
