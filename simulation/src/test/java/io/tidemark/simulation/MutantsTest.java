package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Planted bugs")
class MutantsTest {
  private static final int SEEDS = 200;

  /** A violation that was found by judging, not by something that broke. */
  private static final Pattern JUDGED = Pattern.compile("(?!X )([A-Z]-?[0-9]+) .*", Pattern.DOTALL);

  @Test
  @DisplayName(
      "are all caught by an invariant within 200 seeds, and the code without them is sound there")
  void allCaught() {
    List<Mutant> mutants = Mutant.all();
    assertThat(mutants).hasSizeGreaterThanOrEqualTo(20);
    StringBuilder table = new StringBuilder();
    List<String> survivors = new ArrayList<>();
    Map<MutantScenario, Integer> seedsUsed = new EnumMap<>(MutantScenario.class);
    for (Mutant mutant : mutants) {
      LongFunction<String> probe = mutant.probe();
      int seeds = 0;
      String violation = "";
      while (seeds < SEEDS && violation.isEmpty()) {
        violation = probe.apply(seeds++);
      }
      seedsUsed.merge(mutant.scenario(), seeds, Math::max);
      Matcher judged = JUDGED.matcher(violation);
      if (judged.matches()) {
        table.append(row(mutant, judged.group(1), seeds));
      } else {
        survivors.add(mutant.name() + ": " + violation);
      }
    }
    System.out.println("Planted bug                         found by  seed  seeds  scenario");
    System.out.print(table);
    assertThat(survivors).as("mutants that no invariant caught in %s seeds", SEEDS).isEmpty();
    seedsUsed.forEach(MutantsTest::sound);
  }

  private static String row(Mutant mutant, String invariant, int seeds) {
    return String.format(
        Locale.ROOT,
        "%-35s %-8s %5d %6d  %s%n",
        mutant.name(),
        invariant,
        seeds - 1,
        seeds,
        mutant.scenario());
  }

  private static void sound(MutantScenario kind, int seeds) {
    LongFunction<String> genuine = new MutantProbe(kind.name(), FaultyPart.NONE.name());
    for (int seed = 0; seed < seeds; seed++) {
      assertThat(genuine.apply(seed)).as("%s, seed %s, without a bug", kind, seed).isEmpty();
    }
  }
}
