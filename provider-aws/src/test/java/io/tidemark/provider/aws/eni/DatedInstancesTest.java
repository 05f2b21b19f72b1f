package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.kit.ReadMark;
import io.tidemark.spi.InstanceId;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Instances with a property, by answers that overtake each other")
class DatedInstancesTest {
  private static final InstanceId ONE = new InstanceId("i-1");

  private final DatedInstances instances = new DatedInstances();

  private static ReadMark mark(long generation) {
    return new ReadMark(generation, generation);
  }

  @DisplayName("Of two answers about an instance the one whose request began later counts")
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "list 1 -, false",
    "list 1 + list 2 -, false",
    "list 2 + list 1 -, true",
    "list 2 - list 1 +, false",
    "look 3 + look 2 -, true",
    "look 3 + look 4 -, false",
    "look 3 + list 2 -, true",
    "look 3 - list 2 +, false",
    "look 3 + list 4 -, false",
    "list 3 + look 2 -, true",
    "list 3 - look 2 +, false",
    "list 3 - look 4 +, true"
  })
  void order(String answers, boolean has) {
    String[] words = answers.split(" ", -1);
    for (int i = 0; i < words.length; i += 3) {
      ReadMark mark = mark(Long.parseLong(words[i + 1]));
      Set<InstanceId> found = words[i + 2].equals("+") ? Set.of(ONE) : Set.of();
      if (words[i].equals("list")) {
        instances.listed(mark, found);
      } else {
        instances.looked(mark, Set.of(ONE), found);
      }
    }
    assertThat(instances.contains(ONE)).isEqualTo(has);
  }

  @Test
  @DisplayName("A forgotten one has it again when it is listed or read with it")
  void forgotten() {
    instances.listed(mark(1), Set.of(ONE));
    instances.forget(ONE);
    assertThat(instances.contains(ONE)).isFalse();
    instances.looked(mark(2), Set.of(ONE), Set.of(ONE));
    assertThat(instances.contains(ONE)).isTrue();
    instances.forget(ONE);
    instances.listed(mark(3), Set.of(ONE));
    assertThat(instances.contains(ONE)).isTrue();
  }
}
