package io.tidemark.simulation.demand;

import io.tidemark.emulator.kit.scenario.Section;
import io.tidemark.emulator.kit.scenario.TreeYaml;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The pods of a cluster during a day.
 *
 * @param name for tables
 */
public record Workload(String name, List<WorkloadGroup> groups) {
  /** The length of every workload. */
  static final Duration DAY = Duration.ofHours(24);

  public Workload {
    groups = List.copyOf(groups);
  }

  /** The bundled workloads, the mix last. */
  public static List<Workload> bundled() {
    return List.of(named("churn"), named("daily"), named("batch"), named("mix"));
  }

  /** A bundled workload. */
  static Workload named(String name) {
    return TreeYaml.bundled(Workload.class, name + ".yaml", Workload::read);
  }

  /** The group of each node. */
  WorkloadGroup[] groupOfNodes() {
    return groups.stream()
        .flatMap(group -> Stream.generate(() -> group).limit(group.nodes()))
        .toArray(WorkloadGroup[]::new);
  }

  private static Workload read(Section root) {
    return new Workload(
        root.needed("name").orElse("?"), root.sections("groups", Workload::readGroup));
  }

  private static WorkloadGroup readGroup(Section section) {
    return new WorkloadGroup(
        section.needed("name").orElse("?"),
        section.number("nodes", 1, 1, 10_000),
        section.number("interfaces", 4, 1, 100),
        section.number("addresses-per-interface", 15, 2, 1_000),
        section.number("max-pods", 58, 1, 10_000),
        optional(section, "churn", Workload::churn),
        optional(section, "deployments", Workload::deployments),
        optional(section, "batch", Workload::batch));
  }

  private static <T> Optional<T> optional(
      Section section, String key, Function<Section, T> reader) {
    return section.has(key) ? Optional.of(section.section(key, reader)) : Optional.empty();
  }

  private static WorkloadGroup.Churn churn(Section section) {
    return new WorkloadGroup.Churn(
        section.number("pods-per-node", 10, 1, 1_000), minutes(section, "lifetime-minutes"));
  }

  private static WorkloadGroup.Deployments deployments(Section section) {
    return new WorkloadGroup.Deployments(
        section.number("count", 10, 1, 10_000), section.number("pods-per-node", 10, 1, 1_000));
  }

  private static WorkloadGroup.Batch batch(Section section) {
    return new WorkloadGroup.Batch(
        minutes(section, "every-minutes"),
        section.number("pods-least", 50, 1, 10_000),
        section.number("pods-most", 400, 1, 10_000),
        minutes(section, "lifetime-minutes"));
  }

  private static Duration minutes(Section section, String key) {
    return Duration.ofMinutes(section.number(key, 60, 1, 1_440));
  }
}
