package io.tidemark.emulator.ec2.types;

import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Reads the lines of {@code instance-types.csv}: comments that start with a hash, one line of
 * column names, one type per line. A cell holds no comma and is not quoted.
 */
final class InstanceTypesCsv {
  static final List<String> COLUMNS =
      cells(
          "type,hypervisor,bare_metal,current_generation,vcpus,cores,threads_per_core,memory_mib,"
              + "architectures,network_performance,card_performance,card_interfaces,default_card,"
              + "ipv4_per_interface,ipv6_per_interface,ena,efa_interfaces");

  private InstanceTypesCsv() {}

  /**
   * The types, by name.
   *
   * @throws IllegalArgumentException naming line, column and value of the first thing wrong
   */
  static SortedMap<String, Ec2InstanceType> parse(List<String> lines) {
    SortedMap<String, Ec2InstanceType> types = new TreeMap<>();
    boolean columnsSeen = false;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.startsWith("#")) {
        continue;
      }
      try {
        if (columnsSeen) {
          Ec2InstanceType type = type(new Row(line));
          Hardware.holds(
              types.put(type.name(), type) == null, "type", type.name(), "a type of its own");
        } else {
          checkColumns(line);
          columnsSeen = true;
        }
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("line " + (i + 1) + ": " + e.getMessage(), e);
      }
    }
    if (types.isEmpty()) {
      throw new IllegalArgumentException("no instance type in " + lines.size() + " lines");
    }
    return types;
  }

  private static void checkColumns(String line) {
    if (!cells(line).equals(COLUMNS)) {
      throw new IllegalArgumentException(
          "the columns are \"" + line + "\", not \"" + String.join(",", COLUMNS) + "\"");
    }
  }

  private static Ec2InstanceType type(Row row) {
    String cardPerformance = row.text("card_performance");
    return new Ec2InstanceType(
        row.text("type"),
        row.text("hypervisor"),
        row.truth("bare_metal"),
        row.numbers("card_interfaces").stream()
            .map(interfaces -> new Ec2InstanceType.Card(interfaces, cardPerformance))
            .toList(),
        row.number("default_card"),
        row.number("ipv4_per_interface"),
        row.number("ipv6_per_interface"),
        new Hardware(
            row.truth("current_generation"),
            row.number("vcpus"),
            row.number("cores"),
            row.number("threads_per_core"),
            row.number("memory_mib"),
            row.words("architectures"),
            row.text("network_performance"),
            row.text("ena"),
            row.number("efa_interfaces")));
  }

  private static List<String> cells(String line) {
    return Arrays.asList(line.split(",", -1));
  }

  /** The cells of one line. */
  private static final class Row {
    private final List<String> cells;

    Row(String line) {
      cells = cells(line);
      if (cells.size() != COLUMNS.size()) {
        throw new IllegalArgumentException(
            cells.size() + " cells, not " + COLUMNS.size() + ": " + line);
      }
    }

    String text(String column) {
      return cells.get(COLUMNS.indexOf(column));
    }

    int number(String column) {
      return number(column, text(column));
    }

    List<Integer> numbers(String column) {
      return words(column).stream().map(word -> number(column, word)).toList();
    }

    List<String> words(String column) {
      return Stream.of(text(column).split(" ")).filter(word -> !word.isEmpty()).toList();
    }

    boolean truth(String column) {
      String text = text(column);
      Hardware.holds(text.equals("true") || text.equals("false"), column, text, "true or false");
      return text.equals("true");
    }

    private static int number(String column, String text) {
      // Nine digits fit an int whatever they are.
      Hardware.holds(text.matches("[0-9]{1,9}"), column, text, "a count");
      return Integer.parseInt(text);
    }
  }
}
