package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Plants bugs one at a time and expects an invariant to catch each; the code without them has to be
 * sound on the seeds that caught one. For the tests of every provider.
 */
public final class MutantHunt {
  /** In so many seeds a bug has to be found. */
  public static final int SEEDS = 200;

  /** A violation that was found by judging, not by something that broke. */
  private static final Pattern JUDGED = Pattern.compile("(?!X )([A-Z]-?[0-9]+) .*", Pattern.DOTALL);

  private final String clouds;
  private final List<Mutant> mutants;
  private final StringBuilder table = new StringBuilder();

  /**
   * A hunt for the bugs of one file.
   *
   * @param file a {@code mutants.txt}, which says how it is written
   * @param clouds name of a {@link ClusterSimulation.CloudFactory} that can be made without
   *     arguments; empty for the mock
   */
  public MutantHunt(InputStream file, String clouds) {
    this.mutants = Mutant.all(file);
    this.clouds = clouds;
  }

  /** How many bugs there are. */
  public int size() {
    return mutants.size();
  }

  /** Which invariant caught each bug, and at which seed. */
  public String table() {
    return "Planted bug                         found by  seed  scenario\n" + table;
  }

  /** Fails unless all are caught. */
  public void run() {
    List<String> survivors = new ArrayList<>();
    Map<String, Set<Long>> caughtAt = new TreeMap<>();
    for (Mutant mutant : mutants) {
      LongFunction<String> probe = mutant.probe(clouds);
      long seed = mutant.seed();
      String violation = probe.apply(seed);
      for (long next = 0; next < SEEDS && violation.isEmpty(); next++) {
        seed = next;
        violation = probe.apply(seed);
      }
      Matcher judged = JUDGED.matcher(violation);
      if (judged.matches()) {
        caughtAt.computeIfAbsent(mutant.kind(), kind -> new TreeSet<>()).add(seed);
        table.append(row(mutant, judged.group(1), seed));
      } else {
        survivors.add(mutant.name() + ": " + violation);
      }
    }
    assertThat(survivors).as("mutants that no invariant caught in %s seeds", SEEDS).isEmpty();
    caughtAt.forEach(this::sound);
  }

  private static String row(Mutant mutant, String invariant, long seed) {
    return String.format(
        Locale.ROOT, "%-35s %-8s %5d  %s%n", mutant.name(), invariant, seed, mutant.kind());
  }

  private void sound(String kind, Set<Long> seeds) {
    LongFunction<String> genuine = new MutantProbe(kind, FaultyPart.NONE.name(), clouds);
    for (long seed : seeds) {
      assertThat(genuine.apply(seed)).as("%s, seed %s, without a bug", kind, seed).isEmpty();
    }
  }
}
