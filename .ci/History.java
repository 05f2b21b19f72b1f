import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The history of {@code .ci/benchmarks}; run as a source file. */
public final class History {
  private static final double WORSE = 1.15;
  private static final int SHOWN = 4;
  private static final String HEAD =
      "commit\tdate\tmachine\tjava\tsuite\tfigure\tvalue\tunit\n";

  private static final Pattern NUMBER =
      Pattern.compile("(?<![\\w.])([0-9][0-9,]*(?:\\.[0-9]+)?)(?:[–±-][0-9.,]+)? ?([a-zA-Zµ×%/]*)");

  /** Units of which less is better: times, sizes, and what is counted because it costs. */
  private static final Set<String> LESS =
      Set.of(
          "ns", "us", "µs", "ms", "s", "bytes", "B", "kB", "MB", "GB", "ns/op", "us/op", "µs/op",
          "ms/op", "s/op", "B/op", "us/node", "ms/seed", "calls", "requests");

  /** A rate has a unit per second, or says that it is a multiple of real time. */
  private static final Pattern MORE = Pattern.compile(".*[a-z]/(s|ms|us|µs|ns)|×|x|/s");

  private History() {}

  /** One measured value; its name is unique in its suite. */
  private record Figure(String name, double value, String unit) {}

  /** Reads a table of the output by the names of its columns: the names of its columns. */
  private static final class Reader {
    private final List<Figure> figures = new ArrayList<>();
    private final Map<String, Integer> names = new HashMap<>();
    private List<String> columns = List.of();

    void line(String line) {
      List<String> cells = List.of(line.strip().split(" {2,}|(?<=±) +"));
      if (line.isBlank()) {
        columns = List.of();
        return;
      }
      if (line.startsWith("#") || line.matches("(Iteration|Result|WARNING).*")) {
        return;
      }
      if (cells.size() >= 3 && cells.stream().noneMatch(cell -> cell.matches("[0-9].*"))) {
        columns = cells;
      } else if (columns.contains("Units") && cells.size() == columns.size()) {
        harness(cells);
      } else if (columns.contains("measured") && cells.size() > 2) {
        sentence(cells.get(0), cells.get(1));
      } else if (cells.size() == columns.size()) {
        row(cells);
      } else {
        int colon = line.lastIndexOf(": ");
        if (colon > 0 && !line.startsWith(" ")) { // else a detail of the sentence before
          sentence(line.substring(0, colon).strip(), line.substring(colon + 1));
        }
      }
    }

    /** A row of JMH: name and parameters, mode, count, score, error, unit. */
    private void harness(List<String> cells) {
      int mode = columns.indexOf("Mode");
      number(cells.get(columns.indexOf("Score")))
          .ifPresent(
              score ->
                  add(
                      String.join(", ", cells.subList(0, mode)),
                      score,
                      cells.get(columns.indexOf("Units"))));
    }

    /** A row of a table with a heading per number; the first cell names the row. */
    private void row(List<String> cells) {
      for (int i = 1; i < cells.size(); i++) {
        Matcher number = NUMBER.matcher(cells.get(i));
        if (number.lookingAt()) {
          String column = columns.get(i);
          String unit =
              number.group(2).isEmpty() ? column.substring(column.lastIndexOf(' ') + 1) : number.group(2);
          add(columns.get(0) + ' ' + cells.get(0) + ", " + column, value(number.group(1)), unit);
        }
      }
    }

    /**
     * Words with numbers among them, of a range the first; what stands before a number distinguishes
     * it, and what is in brackets is how it was measured.
     */
    private void sentence(String what, String words) {
      String text = words.replaceAll("\\([^)]*\\)", "");
      Matcher number = NUMBER.matcher(text);
      int from = 0;
      while (number.find()) {
        String before =
            text.substring(from, number.start()).replaceAll("[(),;±~–-]", " ").strip();
        from = number.end();
        add(before.isEmpty() ? what : what + ": " + before, value(number.group(1)), number.group(2));
      }
    }

    private void add(String name, double value, String unit) {
      String plain = name.replaceAll("\\s+", " ");
      int before = names.merge(plain, 1, Integer::sum);
      figures.add(new Figure(before == 1 ? plain : plain + " (" + before + ')', value, unit));
    }

    private static Optional<Double> number(String cell) {
      Matcher number = NUMBER.matcher(cell);
      return number.lookingAt() ? Optional.of(value(number.group(1))) : Optional.empty();
    }

    private static double value(String digits) {
      return Double.parseDouble(digits.replace(",", ""));
    }
  }

  /** A line of the table. */
  private record Row(
      String commit, String date, String machine, String java, String suite, Figure figure) {
    static Row of(String line) {
      String[] cells = line.split("\t", -1);
      if (cells.length != 8) {
        throw new IllegalArgumentException("no row of the history: " + line);
      }
      Figure figure = new Figure(cells[5], Double.parseDouble(cells[6]), cells[7]);
      return new Row(cells[0], cells[1], cells[2], cells[3], cells[4], figure);
    }

    String line() {
      String value = figure.value() == Math.rint(figure.value()) && figure.value() < 1e15
          ? Long.toString((long) figure.value())
          : Double.toString(figure.value());
      return String.join("\t", commit, date, machine, java, suite, figure.name(), value, figure.unit())
          + '\n';
    }

    /** Values are compared on one machine and one Java alone. */
    String key() {
      return String.join("\t", machine, java, suite, figure.name(), figure.unit());
    }
  }

  /**
   * {@code record TABLE OUTPUT COMMIT DATE MACHINE SUITE} appends what a run printed; {@code show
   * TABLE [TEXT]} prints the last values of each figure, and ends with 1 when one became worse.
   */
  public static void main(String[] arguments) throws IOException {
    Path table = Path.of(arguments[1]);
    if (arguments[0].equals("record")) {
      record(table, arguments);
    } else {
      System.exit(show(table, arguments.length > 2 ? arguments[2] : ""));
    }
  }

  private static void record(Path table, String[] arguments) throws IOException {
    Reader reader = new Reader();
    Files.readAllLines(Path.of(arguments[2])).forEach(reader::line);
    StringBuilder lines = new StringBuilder(Files.exists(table) ? "" : HEAD);
    String java = "Java " + Runtime.version().feature();
    for (Figure figure : reader.figures) {
      lines.append(
          new Row(arguments[3], arguments[4], arguments[5], java, arguments[6], figure).line());
    }
    if (table.getParent() != null) {
      Files.createDirectories(table.getParent());
    }
    Files.writeString(table, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    System.err.println(reader.figures.size() + " figures appended to " + table);
  }

  private static int show(Path table, String text) throws IOException {
    Map<String, List<Row>> figures = new LinkedHashMap<>();
    for (String line : Files.exists(table) ? Files.readAllLines(table) : List.<String>of()) {
      if (!line.isEmpty() && !(line + '\n').equals(HEAD)) {
        Row row = Row.of(line);
        figures.computeIfAbsent(row.key(), key -> new ArrayList<>()).add(row);
      }
    }
    int worse = 0;
    String group = "";
    for (List<Row> rows : figures.values()) {
      Row last = rows.get(rows.size() - 1);
      if (!last.suite().contains(text)
          && !last.figure().name().contains(text)
          && !last.commit().startsWith(text)) {
        continue;
      }
      String heading = last.suite() + ", " + last.machine() + ", " + last.java();
      if (!heading.equals(group)) {
        System.out.printf("%n%s%n", heading);
        group = heading;
      }
      String mark = mark(rows);
      worse += mark.startsWith("WORSE") ? 1 : 0;
      StringBuilder values = new StringBuilder();
      for (Row row : rows.subList(Math.max(0, rows.size() - SHOWN), rows.size())) {
        values.append(String.format(Locale.ROOT, "  %s %s", row.commit(), text(row.figure().value())));
      }
      System.out.printf(
          "  %-70s %-8s%s%s%n", last.figure().name(), last.figure().unit(), values, mark.isEmpty() ? "" : "  " + mark);
    }
    System.out.printf("%n%d figures, %d of them worse by more than 15 %%%n", figures.size(), worse);
    return worse == 0 ? 0 : 1;
  }

  private static String text(double value) {
    return String.format(Locale.ROOT, Math.abs(value) < 1_000 ? "%.4g" : "%,.0f", value);
  }

  /** The last value beside the one before it; a unit that is neither a cost nor a rate has no mark. */
  private static String mark(List<Row> rows) {
    if (rows.size() < 2) {
      return "";
    }
    double now = rows.get(rows.size() - 1).figure().value();
    double before = rows.get(rows.size() - 2).figure().value();
    String unit = rows.get(rows.size() - 1).figure().unit();
    boolean more = MORE.matcher(unit).matches();
    if ((!more && !LESS.contains(unit)) || before == 0 || now == before) {
      return "";
    }
    double factor = more ? before / now : now / before;
    String percent = String.format(Locale.ROOT, "%+.0f %%", 100 * (now / before - 1));
    return factor > WORSE ? "WORSE " + percent : factor < 1 / WORSE ? "better " + percent : "";
  }
}
