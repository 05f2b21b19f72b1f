package io.tidemark.provider.aws.limits;

import io.tidemark.provider.aws.ec2.InstanceType;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The instance types of the file that is shipped, for when EC2 cannot be asked. Immutable.
 *
 * @param source where and when the file was made from
 * @param types by name
 */
record InstanceTypeTable(String source, Map<String, InstanceType> types) {
  private static final String FILE = "instance-types.csv";
  private static final String SOURCE = "# Source: ";

  Optional<InstanceType> find(String name) {
    return Optional.ofNullable(types.get(name));
  }

  static InstanceTypeTable shipped() {
    try (InputStream in = InstanceTypeTable.class.getResourceAsStream(FILE)) {
      if (in == null) {
        throw new IllegalStateException(FILE + " is not in the program");
      }
      return parse(
          new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).lines().toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads comments, one line of column names, and one type per line.
   *
   * @throws IllegalArgumentException naming the line that is wrong
   */
  static InstanceTypeTable parse(List<String> lines) {
    String source = "unknown";
    List<String> columns = List.of();
    Map<String, InstanceType> types = new HashMap<>();
    for (String line : lines) {
      if (line.startsWith("#")) {
        source = line.startsWith(SOURCE) ? line.substring(SOURCE.length()) : source;
      } else if (columns.isEmpty()) {
        columns = cells(line);
      } else {
        InstanceType type = type(columns, line);
        types.put(type.name(), type);
      }
    }
    return new InstanceTypeTable(source, types);
  }

  private static InstanceType type(List<String> columns, String line) {
    List<String> cells = cells(line);
    if (cells.size() != columns.size()) {
      throw new IllegalArgumentException(cells.size() + " cells: " + line);
    }
    Map<String, String> row = new HashMap<>();
    for (int i = 0; i < cells.size(); i++) {
      row.put(columns.get(i), cells.get(i));
    }
    try {
      List<Integer> cards = new ArrayList<>();
      for (String each : row.getOrDefault("card_interfaces", "").split(" ", -1)) {
        cards.add(Integer.valueOf(each));
      }
      return new InstanceType(
          row.getOrDefault("type", ""),
          cards.get(number(row, "default_card")),
          cards.stream().mapToInt(Integer::intValue).sum(),
          number(row, "ipv4_per_interface"),
          number(row, "ipv6_per_interface"),
          row.getOrDefault("hypervisor", ""),
          Boolean.parseBoolean(row.getOrDefault("bare_metal", "")));
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      throw new IllegalArgumentException("not the figures of a type: " + line, e);
    }
  }

  private static int number(Map<String, String> row, String column) {
    return Integer.parseInt(row.getOrDefault(column, ""));
  }

  private static List<String> cells(String line) {
    return Arrays.asList(line.split(",", -1));
  }
}
