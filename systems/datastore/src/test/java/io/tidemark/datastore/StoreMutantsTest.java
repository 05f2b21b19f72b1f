package io.tidemark.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.PlantedBug;
import io.tidemark.testing.StepSequence;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("any-jdk")
@Tag("long")
@DisplayName("Bugs planted in the store of ipamd")
class StoreMutantsTest {
  private static final int SEEDS = 200;
  private static final Pattern STEPS = Pattern.compile("steps=([0-9,]*)");

  /** A violation that was found by judging, not by something that broke. */
  private static final Pattern JUDGED = Pattern.compile("\\[(DI[0-9]+) .*", Pattern.DOTALL);

  private static final List<PlantedBug> BUGS =
      PlantedBug.all(
          Objects.requireNonNull(StoreMutantsTest.class.getResourceAsStream("mutants.txt")));

  /** The code without them passes the same seeds in {@link RandomStoreOperationsTest}. */
  @Test
  @DisplayName("are all found by random operations within 200 seeds")
  void found() {
    assertThat(BUGS).hasSizeGreaterThanOrEqualTo(16);
    List<String> survivors = PlantedBug.survivors(BUGS, StoreSequence.Probe.class, JUDGED, SEEDS);
    assertThat(survivors).as("bugs that were not found in %s seeds", SEEDS).isEmpty();
  }

  @Test
  @DisplayName("are shown by a few steps of many, and the same ones each time")
  void shortest() {
    PlantedBug bug =
        BUGS.stream()
            .filter(it -> it.name().equals("COOLING_GIVEN_BACK"))
            .findFirst()
            .orElseThrow();
    LongFunction<String> probe = bug.probe(StoreSequence.Probe.class);
    long seed = 1;
    while (probe.apply(seed).isEmpty()) {
      seed++;
    }
    LongFunction<String> shortest = bug.probe(StoreSequence.Shortest.class);
    String failure = shortest.apply(seed);
    System.out.println(failure);
    Matcher steps = STEPS.matcher(failure);
    assertThat(steps.find()).isTrue();
    assertThat(steps.group(1).split(",")).hasSizeBetween(2, 6);
    assertThat(shortest.apply(seed)).isEqualTo(failure);
    assertThat(StepSequence.parse(StoreSequence.STEPS, seed, steps.group(1)).run().failure())
        .as("without the bug")
        .isEmpty();
  }
}
