package io.tidemark.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.testing.MutantLoader;
import io.tidemark.testing.MutantLoader.Edit;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

  private static final Pattern HEADER =
      Pattern.compile("mutant ([A-Z_]+) in ([A-Z_]+)(?: at ([0-9]+))?: (.+)");

  /** All of a {@code mutants.txt}, in the order of the file. */
  static List<Mutant> all(InputStream file) {
    try (file) {
      Reader reader = new Reader();
      new String(file.readAllBytes(), UTF_8).lines().forEach(reader::line);
      return reader.finished();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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

  private Mutant with(List<Edit> newEdits, FaultyPart newPart) {
    return new Mutant(name, kind, seed, bug, newEdits, newPart);
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

  private static final class Reader {
    private final List<Mutant> mutants = new ArrayList<>();
    private final List<Edit> edits = new ArrayList<>();
    private final StringBuilder from = new StringBuilder();
    private final StringBuilder to = new StringBuilder();
    private boolean exchanged;
    private String className = "";

    void line(String line) {
      Matcher header = HEADER.matcher(line);
      if (header.matches()) {
        finished();
        String seed = header.group(3);
        mutants.add(
            new Mutant(
                header.group(1),
                header.group(2),
                seed == null ? 0 : Long.parseLong(seed),
                header.group(4),
                List.of(),
                FaultyPart.NONE));
      } else if (line.startsWith("class ")) {
        edited();
        className = line.substring(6);
      } else if (line.startsWith("part ")) {
        Mutant last = mutants.remove(mutants.size() - 1);
        mutants.add(last.with(last.edits, FaultyPart.valueOf(line.substring(5))));
      } else if (line.startsWith("-")) {
        if (exchanged) {
          edited();
        }
        from.append(line.substring(1)).append('\n');
      } else if (line.startsWith("+")) {
        exchanged = true;
        to.append(line.substring(1)).append('\n');
      } else if (!line.isEmpty() && !line.startsWith("#")) {
        throw new IllegalStateException("mutants.txt has an unknown line: " + line);
      }
    }

    private void edited() {
      if (!from.isEmpty()) {
        edits.add(new Edit(className, from.toString(), to.toString().strip()));
      }
      from.setLength(0);
      to.setLength(0);
      exchanged = false;
    }

    List<Mutant> finished() {
      edited();
      if (!edits.isEmpty()) {
        Mutant last = mutants.remove(mutants.size() - 1);
        mutants.add(last.with(List.copyOf(edits), last.part));
        edits.clear();
      }
      return List.copyOf(mutants);
    }
  }
}
