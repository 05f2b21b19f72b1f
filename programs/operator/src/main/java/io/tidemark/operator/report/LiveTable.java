package io.tidemark.operator.report;

import io.tidemark.program.console.ScreenSize;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The table that is redrawn while the program runs: a line of sums, then the nodes, those with work
 * or trouble first when the screen has no room for all. Pure.
 */
public final class LiveTable {
  /** Sums, headings, the line of the rest, and the cursor's own line. */
  private static final int OTHER_LINES = 4;

  private LiveTable() {}

  /**
   * Lines that fit on the screen.
   *
   * @param lacking what is missing to nodes, plural
   */
  public static List<String> lines(
      List<NodeRow> nodes, String lacking, long calls, int refused, ScreenSize screen) {
    List<String> lines = new ArrayList<>();
    lines.add(sums(nodes, lacking, calls, refused));
    int room = Math.max(1, screen.lines() - OTHER_LINES);
    List<NodeRow> shown = new ArrayList<>(nodes);
    if (nodes.size() > room) {
      shown.sort(Comparator.comparing(NodeRow::settled));
      shown = shown.subList(0, room);
    }
    lines.addAll(ReportText.nodes(shown).lines());
    if (nodes.size() > shown.size()) {
      lines.add("and " + (nodes.size() - shown.size()) + " more");
    }
    return fitting(lines.stream(), screen);
  }

  /** The reasons why a start waits, before there are nodes. */
  public static List<String> starting(List<String> reasons, ScreenSize screen) {
    return fitting(reasons.stream().limit(screen.lines()).map(each -> "starting: " + each), screen);
  }

  private static List<String> fitting(Stream<String> lines, ScreenSize screen) {
    return lines
        .map(line -> line.length() < screen.columns() ? line : cut(line, screen.columns()))
        .toList();
  }

  private static String cut(String line, int columns) {
    return line.substring(0, Math.max(0, columns - 1));
  }

  private static String sums(List<NodeRow> nodes, String lacking, long calls, int refused) {
    long ok = nodes.stream().filter(NodeRow::settled).count();
    long missing = nodes.stream().mapToLong(NodeRow::missing).sum();
    long blocked = nodes.stream().filter(node -> node.problem().isPresent()).count();
    return nodes.size()
        + " nodes: "
        + ok
        + " ok, "
        + blocked
        + " waiting with a reason; "
        + missing
        + " "
        + lacking
        + " missing; "
        + calls
        + " calls"
        + (refused == 0 ? "" : "; " + refused + " problems in objects");
  }
}
