package io.tidemark.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The dependency rule: a line uses the lines below it, never one above or beside. The same drawing
 * stands in docs/internals/architecture.md.
 */
final class Drawing {
  /** One line of the drawing; its packages do not see one another. */
  private record Line(List<String> packages, String reason) {}

  /** From the bottom up. */
  private static final List<Line> LINES =
      List.of(
          new Line(
              List.of("ip", "time", "error"),
              "the ground knows nothing of the product, so everything may stand on it"),
          new Line(
              List.of("file"),
              "every module that keeps a file must be able to use it, so it knows none of them"),
          new Line(
              List.of("metrics", "config", "http"),
              "what is counted, set and listened with stands below its users"),
          new Line(
              List.of("resilience", "resource", "demand"),
              "how a call is paced, what a node looks like and what its pods need are independent"
                  + " questions"),
          new Line(
              List.of("spi"),
              "a provider must be able to see the whole contract without seeing the engine, which"
                  + " does not know who is the leader"),
          new Line(
              List.of("cluster"),
              "what a cluster knows reaches the engine; a provider needs none of it"),
          new Line(
              List.of("provider.kit"),
              "what every cloud decides alike knows no cloud and no engine"),
          new Line(
              List.of(
                  "provider.mock",
                  "provider.aws",
                  "provider.azure",
                  "kubernetes",
                  "manifests",
                  "emulator"),
              "one cloud must never be able to break, or lean on, another"),
          new Line(
              List.of("node", "agent", "datastore", "nodecidr", "nodeid"),
              "the systems are used apart: an agent must not drag the operator's loop along"),
          new Line(
              List.of("engine"),
              "the facade embeds the operator's system in any program, with any cloud and backend"),
          new Line(
              List.of("simulation"),
              "it drives engine and clouds from outside and nothing that ships may need it"),
          new Line(List.of("program"), "what every program needs of a terminal knows no program"),
          new Line(
              List.of("operator", "daemon"),
              "a program wires everything and is needed by nothing; the two meet in the node's object"),
          new Line(List.of("it"), "suites and benchmarks are the last to be built"));

  /** Modules that are plugged into a system; a system sees its ports alone. */
  private static final Line PLUGGED = LINES.get(7);

  private static final Line SYSTEMS = LINES.get(8);

  private Drawing() {}

  static List<ArchRule> rules(String root) {
    List<ArchRule> rules = new ArrayList<>();
    rules.add(everyPackageIsDrawn(root));
    for (int level = 0; level < LINES.size(); level++) {
      for (String name : LINES.get(level).packages()) {
        List<String> forbidden = new ArrayList<>(notBelow(level, name));
        String reason = LINES.get(level).reason();
        if (SYSTEMS.packages().contains(name) || name.equals("engine")) {
          forbidden.addAll(PLUGGED.packages());
          reason += "; and whoever embeds one chooses its clouds and backends";
        }
        if (name.equals("emulator")) {
          LINES.subList(1, level).forEach(line -> forbidden.addAll(line.packages()));
          forbidden.removeAll(List.of("file", "http"));
          reason += "; and what stands for a cloud shares no idea with those who call it";
        }
        if (!forbidden.isEmpty()) {
          rules.add(rule(root, name, forbidden, reason));
        }
      }
    }
    return rules;
  }

  private static List<String> notBelow(int level, String name) {
    return LINES.subList(level, LINES.size()).stream()
        .flatMap(line -> line.packages().stream())
        .filter(other -> !other.equals(name))
        .toList();
  }

  private static ArchRule rule(String root, String name, List<String> forbidden, String reason) {
    return noClasses()
        .that()
        .resideInAPackage(root + "." + name + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(patterns(root, forbidden.stream()))
        .because(reason)
        .allowEmptyShould(true)
        .as(name + " uses the lines below it only, because " + reason);
  }

  private static ArchRule everyPackageIsDrawn(String root) {
    return classes()
        .that()
        .resideOutsideOfPackage(root)
        .should()
        .resideInAnyPackage(patterns(root, LINES.stream().flatMap(l -> l.packages().stream())))
        .allowEmptyShould(true)
        .as("every package stands in the drawing, because no rule watches one that does not");
  }

  private static String[] patterns(String root, Stream<String> packages) {
    return packages.map(name -> root + "." + name + "..").toArray(String[]::new);
  }
}
