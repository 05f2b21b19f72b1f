package io.tidemark.emulator.ec2.model;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * An Availability Zone.
 *
 * @param name the region's name and a letter, {@code us-east-1a}
 * @param id the same zone in all accounts, {@code use1-az1}
 */
public record Zone(String name, String id) {
  /** Whether it has the name and the id that are given. */
  public boolean isNamed(Optional<String> ofName, Optional<String> ofId) {
    return ofName.map(name::equals).orElse(true) && ofId.map(id::equals).orElse(true);
  }

  /** The first {@code count} zones of a region. */
  static List<Zone> of(String region, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new Zone(region + (char) ('a' + i), shortName(region) + "-az" + (i + 1)))
        .toList();
  }

  /** {@code us-east-1} is {@code use1}, {@code ap-southeast-2} is {@code apse2}. */
  private static String shortName(String region) {
    String[] parts = region.split("-", -1);
    StringBuilder out = new StringBuilder(parts[0]);
    for (int i = 1; i < parts.length; i++) {
      out.append(abbreviation(parts[i].toLowerCase(Locale.ROOT)));
    }
    return out.toString();
  }

  private static String abbreviation(String part) {
    for (String vertical : List.of("north", "south")) {
      if (part.startsWith(vertical) && part.length() > vertical.length()) {
        return part.substring(0, 1) + part.charAt(vertical.length());
      }
    }
    return part.isEmpty() ? "" : part.substring(0, 1);
  }
}
