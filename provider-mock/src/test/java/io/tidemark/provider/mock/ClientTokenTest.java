package io.tidemark.provider.mock;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spi.InstanceId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The token of a creation")
class ClientTokenTest {
  @Test
  @DisplayName("is the same for the same situation and another for every other one")
  void situations() {
    List<Eni> one = List.of(SlotModelTest.eni(0, 0, 0));
    List<Eni> two = List.of(SlotModelTest.eni(0, 0, 0), SlotModelTest.eni(1, 5, 0));
    String token = ClientToken.of("c", new InstanceId("i"), 1, one, 0);

    assertThat(ClientToken.of("c", new InstanceId("i"), 1, one, 0)).isEqualTo(token);
    assertThat(ClientToken.of("c", new InstanceId("i"), 1, List.of(SlotModelTest.eni(0, 3, 1)), 0))
        .as("addresses do not count")
        .isEqualTo(token);
    Set<String> all =
        new HashSet<>(
            List.of(
                token,
                ClientToken.of("d", new InstanceId("i"), 1, one, 0),
                ClientToken.of("c", new InstanceId("j"), 1, one, 0),
                ClientToken.of("c", new InstanceId("i"), 2, one, 0),
                ClientToken.of("c", new InstanceId("i"), 1, two, 0),
                ClientToken.of("c", new InstanceId("i"), 1, one, 1)));
    assertThat(all).hasSize(6).allMatch(each -> each.matches("[0-9a-f]{32}"));
  }
}
