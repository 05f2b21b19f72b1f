package io.tidemark.agent.crd;

import static io.tidemark.resource.HandshakeState.RELEASED;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.HandshakeState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The agent's half of the release of an address")
class AgentReleaseHandshakeTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          A36 A marked address is refused and answered ready; one in use is answered no \
            | pool 1 2 3 4; start 1 2 3; 15s; busy; mark 4 marked-for-release; \
              why 4 = IN_RELEASE_HANDSHAKE, retryable: 10.0.0.4 is marked-for-release in the \
              node's object; next other = EXHAUSTED; state 4 = marked-for-release; 15s; \
              state 4 = ready-for-release; take 4 other = IN_RELEASE_HANDSHAKE; \
              mark 3 marked-for-release; 15s; state 3 = do-not-release; \
              state 4 = ready-for-release
          A37 A mark for an address that the node does not have is refused \
            | pool 1 2 3 4; start; 15s; mark 9 marked-for-release; 15s; state 9 = do-not-release
          A38 The entry of a released address goes once the address has left the pool \
            | pool 1 2 3 4; start; 15s; mark 4 released; 15s; state 4 = released; spec 1; 15s; \
              state 4 = none
          A38 A released address in the pool is the node's again after a grace period \
            | pool 1 2 3 4; start; 15s; mark 4 released; 29s; \
              take 4 other = IN_RELEASE_HANDSHAKE; 1s; take 4 a = 4; 15s; state 4 = none
          A38 The grace period begins when the status lists the address under an interface \
            | pool 1 2 3 4; start; 15s; lists eni-1 1; mark 4 released; 91s; \
              take 4 other = IN_RELEASE_HANDSHAKE; lists eni-1 1 2 3 4; 1s; \
              take 4 other = IN_RELEASE_HANDSHAKE; 60s; take 4 a = 4
          A38 In mode crd no status says that a released address is here; only absence does \
            | mode CRD; pool 1 2 3 4; start; 15s; mark 4 released; 90s; \
              take 4 other = IN_RELEASE_HANDSHAKE; spec 1; 1s; spec 1 4; 1s; take 4 a = 4
          A38 The grace period begins anew after the object had no pool, and nothing spins \
            | pool 1 2 3 4; start; 15s; mark 4 released; spec; 60s; spec 1 4; 29s; \
              take 4 other = IN_RELEASE_HANDSHAKE; 1s; take 4 a = 4
          A38 A released address that was away and is back is the node's at once \
            | pool 1 2 3 4; start; 15s; mark 4 released; busy; spec 1 2 3; spec 1 2 3 4; \
              state 4 = released; take 4 a = 4; 15s; state 4 = none
          A39 An entry that is answered ready is left alone, without a write \
            | pool 1 2 3 4; start; 15s; writes; mark 4 ready-for-release; 30s; \
              state 4 = ready-for-release; writes = 0; counts = 3/0/0/0/1
          A39 An entry that is answered no is left alone, without a write \
            | pool 1 2 3 4; start; 15s; writes; mark 4 do-not-release; 30s; \
              state 4 = do-not-release; writes = 0; counts = 4/0/0/0/0
          A promise ends when the operator withdraws its mark \
            | pool 1 2 3 4; start; 15s; mark 4 marked-for-release; 15s; \
              take 4 other = IN_RELEASE_HANDSHAKE; withdraw 4; take 4 a = 4
          NM-J5 With an empty pool nothing is answered, and no promise is forgotten \
            | pool 1 2 3 4; start; 15s; mark 4 marked-for-release; 15s; spec; \
              mark 9 marked-for-release; 30s; state 9 = marked-for-release; spec 4; \
              take 4 other = IN_RELEASE_HANDSHAKE
          I8 A promise holds over a restart, because the object says it \
            | pool 1 2 3 4; start; 15s; mark 4 marked-for-release; 15s; crash; start 1; \
              take 4 other = IN_RELEASE_HANDSHAKE; next a b c = 2 3 EXHAUSTED
          A50 Before everything is restored no mark is answered, and a marked address is \
            restored \
            | pool 1 2; mark 1 marked-for-release; mark 2 marked-for-release; begin; 30s; \
              state 1 = marked-for-release; next other = EXHAUSTED; restore 1 a; finish; \
              state 1 = do-not-release; state 2 = ready-for-release
          A78 A cooling address is published as in use, and a mark for it is refused \
            | cools 130s; pool 1 2 3 4; start 1; 15s; release 1; 15s; used = 1:cooling@eni-1; \
              mark 1 marked-for-release; 15s; state 1 = do-not-release; withdraw 1; 145s; \
              counts = 4/0/0/0/0; used = none
          An address is promised at the moment in which it is looked at, in use or not \
            | pool 1 2 3 4; start 4 1; 15s; busy; mark 4 marked-for-release; release 4; 15s; \
              state 4 = ready-for-release; take 4 other = IN_RELEASE_HANDSHAKE
          A36 An address whose pause is over is answered ready, though nobody asked since \
            | cools 40s; pool 1 2 3 4; start 4; 15s; release 4; 39s; mark 4 marked-for-release; \
              15s; state 4 = do-not-release; mark 4 marked-for-release; 15s; \
              state 4 = ready-for-release
          A36 An address in use that was marked and refused stays its owner's alone \
            | pool 1 2 3 4; start; 15s; take 2 a = 2; mark 2 marked-for-release; 15s; \
              state 2 = do-not-release; withdraw 2; next b c d = 1 3 4; next other = EXHAUSTED
          A36 An address in use that the agent chose itself stays its owner's alone, too \
            | pool 1 2 3 4; start; 15s; next a = 1; mark 1 marked-for-release; 15s; \
              state 1 = do-not-release; withdraw 1; next b c d = 2 3 4; next other = EXHAUSTED
          """)
  void story(String name, String story) {
    CrdStory.run(story);
  }

  private static AgentReleaseHandshake.Step observe(
      AgentReleaseHandshake before, String pool, Map<String, HandshakeState> wire, long now) {
    AddressSet.Builder addresses = AddressSet.builder();
    List.of(pool.split(" ")).stream()
        .filter(each -> !each.isEmpty())
        .forEach(each -> addresses.add(IpAddress.parse(each)));
    TreeMap<IpAddress, HandshakeState> entries = new TreeMap<>();
    wire.forEach((ip, state) -> entries.put(IpAddress.parse(ip), state));
    return before.observe(
        new AgentReleaseHandshake.Sight(
            addresses.build(), pool.isEmpty(), entries, ip -> true, ip -> false, true),
        SECOND,
        now);
  }

  @Test
  @DisplayName("A38 The grace that ends first is due, and an empty pool forgets no absence")
  void memory() {
    Map<String, HandshakeState> one = Map.of("10.0.0.2", RELEASED);
    Map<String, HandshakeState> both = Map.of("10.0.0.1", RELEASED, "10.0.0.2", RELEASED);
    String pool = "10.0.0.1 10.0.0.2";
    AgentReleaseHandshake first = observe(AgentReleaseHandshake.NONE, pool, one, 5).next();
    AgentReleaseHandshake second = observe(first, pool, both, 9).next();
    assertThat(second.nextDueNanos(SECOND)).hasValue(SECOND.toNanos() + 5);

    AgentReleaseHandshake absent = observe(second, "10.0.0.1", one, 10).next();
    assertThat(absent.phases())
        .isEqualTo(Map.of(IpAddress.parse("10.0.0.2"), AgentReleaseHandshake.Phase.GONE));
    assertThat(absent.nextDueNanos(SECOND)).isEmpty();
    AgentReleaseHandshake nothing = observe(absent, "", one, 11).next();
    AgentReleaseHandshake.Step back = observe(nothing, pool, one, 12);
    assertThat(back.answers()).as("seen absent before").isEmpty();
    assertThat(back.withheld()).isEmpty();
  }
}
