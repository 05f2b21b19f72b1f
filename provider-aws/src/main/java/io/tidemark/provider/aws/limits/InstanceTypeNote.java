package io.tidemark.provider.aws.limits;

import io.tidemark.provider.aws.ec2.InstanceType;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Instance types as text: one in a line, its numbers separated by tabs. Lines of other releases
 * that cannot be read are passed over: EC2 tells them again. Pure.
 */
final class InstanceTypeNote {
  /** So that a lease holds it beside other notes. */
  private static final int TYPES_MAX = 500;

  private InstanceTypeNote() {}

  static String text(Stream<InstanceType> types) {
    return types
        .limit(TYPES_MAX)
        .map(
            type ->
                Stream.of(
                        type.name(),
                        type.interfacesOnCard0(),
                        type.interfacesInAll(),
                        type.ipv4PerInterface(),
                        type.ipv6PerInterface(),
                        type.hypervisor(),
                        type.bareMetal())
                    .map(Objects::toString)
                    .collect(Collectors.joining("\t", "", "\n")))
        .collect(Collectors.joining());
  }

  static List<InstanceType> parse(String text) {
    return text.lines().limit(TYPES_MAX).flatMap(line -> type(line).stream()).toList();
  }

  private static Optional<InstanceType> type(String line) {
    String[] parts = line.split("\t", -1);
    if (parts.length != 7 || parts[0].isEmpty()) {
      return Optional.empty();
    }
    try {
      InstanceType type =
          new InstanceType(
              parts[0],
              Integer.parseInt(parts[1]),
              Integer.parseInt(parts[2]),
              Integer.parseInt(parts[3]),
              Integer.parseInt(parts[4]),
              parts[5],
              Boolean.parseBoolean(parts[6]));
      boolean possible =
          type.interfacesOnCard0() > 0
              && type.interfacesInAll() >= type.interfacesOnCard0()
              && type.ipv4PerInterface() > 0
              && type.ipv6PerInterface() >= 0;
      return possible ? Optional.of(type) : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
