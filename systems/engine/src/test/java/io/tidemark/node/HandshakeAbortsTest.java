package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.HandshakeState;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Which handshakes were given up, and why (node-manager 4.6, 7)")
class HandshakeAbortsTest {
  private static final IpAddress A = IpAddress.parse("10.0.0.1");
  private static final IpAddress B = IpAddress.parse("10.0.0.2");
  private static final AddressSet NONE = AddressSet.of();

  private static ReleaseHandshake adopted(HandshakeState a, HandshakeState b) {
    SortedMap<IpAddress, HandshakeState> wire = new TreeMap<>(Map.of(A, a, B, b));
    return ReleaseHandshake.UNADOPTED.adopt(wire, address -> true, 0);
  }

  @DisplayName("a handshake under way counts once, by what the node needs now")
  @ParameterizedTest
  @EnumSource(names = {"MARKED_FOR_RELEASE", "READY_FOR_RELEASE"})
  void underWay(HandshakeState state) {
    ReleaseHandshake before = adopted(state, state);
    ReleaseHandshake after = before.abort();
    assertThat(before.abortsTo(after, NONE, 1)).isEqualTo(Map.of(ReleaseHandshake.NEEDED, 2));
    assertThat(before.abortsTo(after, NONE, 0)).isEqualTo(Map.of(ReleaseHandshake.NOT_SURPLUS, 2));
  }

  @Test
  @DisplayName("one that the agent refused, or of a block of which it refused one, is refused")
  void refused() {
    ReleaseHandshake before =
        adopted(HandshakeState.DO_NOT_RELEASE, HandshakeState.READY_FOR_RELEASE);
    ReleaseHandshake after = before.abort();
    assertThat(before.abortsTo(after, AddressSet.of(A, B), 0))
        .isEqualTo(Map.of(ReleaseHandshake.REFUSED, 2));
    assertThat(before.abortsTo(after, NONE, 3))
        .isEqualTo(Map.of(ReleaseHandshake.REFUSED, 1, ReleaseHandshake.NEEDED, 1));
  }

  @Test
  @DisplayName("what goes on, what was never asked and what is released counts as none")
  void notAborted() {
    ReleaseHandshake goesOn =
        adopted(HandshakeState.MARKED_FOR_RELEASE, HandshakeState.READY_FOR_RELEASE);
    assertThat(goesOn.abortsTo(goesOn, NONE, 1)).isEmpty();
    ReleaseHandshake timed =
        ReleaseHandshake.NONE
            .candidates(AddressSet.of(A), Set.of(), 0, 10)
            .released(AddressSet.of(B), 0);
    assertThat(timed.abortsTo(ReleaseHandshake.NONE, NONE, 1)).isEmpty();
  }
}
