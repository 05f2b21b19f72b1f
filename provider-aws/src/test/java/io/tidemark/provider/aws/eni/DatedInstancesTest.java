package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.kit.ReadMark;
import io.tidemark.spi.InstanceId;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Instances with a property, by answers that overtake each other")
class DatedInstancesTest {
  private static final InstanceId ONE = new InstanceId("i-1");

  private final DatedInstances instances = new DatedInstances();

  private static ReadMark mark(long generation) {
    return new ReadMark(generation, generation);
  }

  @Test
  @DisplayName("Of two reads of one instance the one that began later counts")
  void lateRead() {
    instances.listed(mark(1), Set.of());
    instances.looked(mark(3), Set.of(ONE), Set.of(ONE));
    instances.looked(mark(2), Set.of(ONE), Set.of());
    assertThat(instances.contains(ONE)).isTrue();
    instances.looked(mark(4), Set.of(ONE), Set.of());
    assertThat(instances.contains(ONE)).isFalse();
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
