package io.tidemark.simulation;

import io.tidemark.testing.MutantLoader;
import io.tidemark.testing.MutantLoader.Edit;
import io.tidemark.testing.PlantedBug;
import java.io.InputStream;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/**
 * A bug that is planted to see that the simulation finds it: classes with words exchanged, or a
 * faulty port. Read from {@code mutants.txt}, which says how it is written.
 *
 * @param kind a {@link MutantScenario}, or a {@link Patterns.Kind}
 * @param seed the seed to try first, which found it before
 * @param bug what is wrong
 */
record Mutant(String name, String kind, long seed, String bug, List<Edit> edits, FaultyPart part) {
  private static final String SIMULATION = "io.tidemark.simulation";

  /** Providers to which nothing but their own simulation refers. */
  private static final List<String> CLOUDS =
      List.of("io.tidemark.provider.aws.", "io.tidemark.provider.azure.");

  /** Packages that nothing but the simulation refers to. */
  private static final Set<String> LAST =
      Set.of("io.tidemark.node", "io.tidemark.provider.mock", SIMULATION);

  /** All of a {@code mutants.txt}, in the order of the file. */
  static List<Mutant> all(InputStream file) {
    return PlantedBug.all(file).stream().map(Mutant::of).toList();
  }

  private static Mutant of(PlantedBug planted) {
    FaultyPart part =
        planted.part().isEmpty() ? FaultyPart.NONE : FaultyPart.valueOf(planted.part());
    return new Mutant(
        planted.name(), planted.kind(), planted.seed(), planted.bug(), planted.edits(), part);
  }

  /**
   * Runs one seed of its scenario, or one case of its pattern, and answers the first violation,
   * empty text for none.
   *
   * @param clouds name of the class that makes the cloud; empty for the mock
   */
  @SuppressWarnings("unchecked")
  LongFunction<String> probe(String clouds) {
    if (edits.isEmpty()) {
      return new MutantProbe(kind, part.name(), clouds);
    }
    try {
      return (LongFunction<String>)
          new MutantLoader(edits, this::isAnew)
              .loadClass(MutantProbe.class.getName())
              .getConstructor(String.class, String.class, String.class)
              .newInstance(kind, part.name(), clouds);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(name + " cannot be made", e);
    }
  }

  private boolean isAnew(String className) {
    Set<String> changed =
        edits.stream().map(edit -> packageOf(edit.className())).collect(Collectors.toSet());
    for (String cloud : CLOUDS) {
      if (changed.stream().allMatch(each -> (each + ".").startsWith(cloud))) {
        return className.startsWith(cloud) || className.startsWith(SIMULATION + ".");
      }
    }
    return LAST.containsAll(changed)
        ? changed.contains(packageOf(className)) || className.startsWith(SIMULATION + ".")
        : className.startsWith("io.tidemark.");
  }

  private static String packageOf(String className) {
    return className.substring(0, className.lastIndexOf('.'));
  }
}
