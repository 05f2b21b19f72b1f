package io.tidemark.nodecidr.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.MutantLoader;
import io.tidemark.testing.PlantedBug;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("Bugs planted in the ledger of node CIDRs")
class LedgerMutantsTest {
  private static final int SEEDS = 200;

  /** A violation that was found by judging, not by something that broke. */
  private static final Pattern JUDGED = Pattern.compile("\\[(NC-[A-Z]*[0-9]+) .*", Pattern.DOTALL);

  private static final List<PlantedBug> BUGS =
      PlantedBug.all(
          Objects.requireNonNull(LedgerMutantsTest.class.getResourceAsStream("mutants.txt")));

  @SuppressWarnings("unchecked")
  private static LongFunction<String> made(PlantedBug bug, Class<?> probe) {
    try {
      return (LongFunction<String>)
          new MutantLoader(bug.edits(), name -> name.startsWith("io.tidemark."))
              .loadClass(probe.getName())
              .getConstructor()
              .newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(bug.name() + " cannot be made", e);
    }
  }

  /** The code without them passes the same seeds in {@link RandomLedgerTest}. */
  @Test
  @Tag("any-jdk")
  @DisplayName("are all found by random steps within 200 seeds")
  void found() {
    assertThat(BUGS).hasSizeGreaterThanOrEqualTo(16);
    List<String> survivors = new ArrayList<>();
    StringBuilder table =
        new StringBuilder("Planted bug                         found by  seeds\n");
    for (PlantedBug bug : BUGS) {
      LongFunction<String> probe = made(bug, LedgerSequence.Probe.class);
      String violation = "";
      long seed = 0;
      while (violation.isEmpty() && seed < SEEDS) {
        violation = probe.apply(++seed);
      }
      Matcher judged = JUDGED.matcher(violation);
      if (judged.matches()) {
        table.append(
            String.format(Locale.ROOT, "%-35s %-8s %5d%n", bug.name(), judged.group(1), seed));
      } else {
        survivors.add(bug.name() + ": " + violation);
      }
    }
    System.out.print(table);
    assertThat(survivors).as("bugs that were not found in %s seeds", SEEDS).isEmpty();
  }
}
