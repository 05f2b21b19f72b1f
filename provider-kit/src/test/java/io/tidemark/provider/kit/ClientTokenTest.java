package io.tidemark.provider.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
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
    List<InterfaceId> one = List.of(new InterfaceId("eni-0"));
    List<InterfaceId> two = List.of(new InterfaceId("eni-0"), new InterfaceId("eni-1"));
    String token = ClientToken.of("c", new InstanceId("i"), "1", one, 0);

    assertThat(ClientToken.of("c", new InstanceId("i"), "1", one, 0)).isEqualTo(token);
    Set<String> all =
        new HashSet<>(
            List.of(
                token,
                ClientToken.of("d", new InstanceId("i"), "1", one, 0),
                ClientToken.of("c", new InstanceId("j"), "1", one, 0),
                ClientToken.of("c", new InstanceId("i"), "2", one, 0),
                ClientToken.of("c", new InstanceId("i"), "1", two, 0),
                ClientToken.of("c", new InstanceId("i"), "1", one, 1)));
    assertThat(all).hasSize(6).allMatch(each -> each.matches("[0-9a-f]{32}"));
  }
}
