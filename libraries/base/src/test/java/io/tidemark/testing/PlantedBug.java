package io.tidemark.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.testing.MutantLoader.Edit;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A bug that is planted to see that tests find it, as a {@code mutants.txt} says it: classes with
 * words exchanged, or a faulty part in place of a sound one.
 *
 * <p>{@code mutant NAME in KIND at SEED: what is wrong}, then {@code class NAME}, {@code -} with
 * words of its source and {@code +} with those in their place, as often as needed; or {@code part
 * NAME}. Spaces and line ends do not count; lines with {@code #} are comments.
 *
 * @param kind of the runs that find it; empty where there is one kind
 * @param seed the seed to try first, which found it before; 0 for none
 * @param part of a faulty part; empty for none
 */
public record PlantedBug(
    String name, String kind, long seed, String bug, List<Edit> edits, String part) {
  private static final Pattern HEADER =
      Pattern.compile("mutant ([A-Z0-9_]+)(?: in ([A-Z_]+))?(?: at ([0-9]+))?: (.+)");

  public PlantedBug {
    edits = List.copyOf(edits);
  }

  /** All of a {@code mutants.txt}, in the order of the file, which is closed. */
  public static List<PlantedBug> all(InputStream file) {
    try (file) {
      Reader reader = new Reader();
      new String(file.readAllBytes(), UTF_8).lines().forEach(reader::line);
      return reader.finished();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A probe whose classes have the bug: of a seed it gives the failure, or nothing. */
  @SuppressWarnings("unchecked")
  public LongFunction<String> probe(Class<? extends LongFunction<String>> type) {
    try {
      return (LongFunction<String>)
          new MutantLoader(edits, each -> each.startsWith("io.tidemark."))
              .loadClass(type.getName())
              .getConstructor()
              .newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(name + " cannot be made", e);
    }
  }

  /**
   * Those of the bugs that no seed from 1 on finds, each with the last failure. Prints by which
   * seed the others were found.
   *
   * @param judged matches a failure that was found by judging, not by something that broke; its
   *     first group is the id of what was judged
   */
  public static List<String> survivors(
      List<PlantedBug> bugs,
      Class<? extends LongFunction<String>> type,
      Pattern judged,
      int seeds) {
    List<String> survivors = new ArrayList<>();
    StringBuilder table =
        new StringBuilder("Planted bug                         found by  seeds\n");
    for (PlantedBug bug : bugs) {
      LongFunction<String> probe = bug.probe(type);
      String failure = "";
      long seed = 0;
      while (failure.isEmpty() && seed < seeds) {
        failure = probe.apply(++seed);
      }
      Matcher found = judged.matcher(failure);
      if (found.matches()) {
        table.append(
            String.format(Locale.ROOT, "%-35s %-8s %5d%n", bug.name, found.group(1), seed));
      } else {
        survivors.add(bug.name + ": " + failure);
      }
    }
    System.out.print(table);
    return survivors;
  }

  private static final class Reader {
    private final List<PlantedBug> bugs = new ArrayList<>();
    private final List<Edit> edits = new ArrayList<>();
    private final StringBuilder from = new StringBuilder();
    private final StringBuilder to = new StringBuilder();
    private boolean exchanged;
    private String className = "";

    void line(String line) {
      Matcher header = HEADER.matcher(line);
      if (header.matches()) {
        finished();
        String kind = header.group(2);
        String seed = header.group(3);
        bugs.add(
            new PlantedBug(
                header.group(1),
                kind == null ? "" : kind,
                seed == null ? 0 : Long.parseLong(seed),
                header.group(4),
                List.of(),
                ""));
      } else if (line.startsWith("class ")) {
        edited();
        className = line.substring(6);
      } else if (line.startsWith("part ")) {
        PlantedBug last = bugs.remove(bugs.size() - 1);
        bugs.add(
            new PlantedBug(
                last.name, last.kind, last.seed, last.bug, last.edits, line.substring(5)));
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

    List<PlantedBug> finished() {
      edited();
      if (!edits.isEmpty()) {
        PlantedBug last = bugs.remove(bugs.size() - 1);
        bugs.add(new PlantedBug(last.name, last.kind, last.seed, last.bug, edits, last.part));
        edits.clear();
      }
      return List.copyOf(bugs);
    }
  }
}
