package io.tidemark.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.resource.HandshakeState;
import io.tidemark.testing.ErrorDocs;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Denials")
class DenialTest {
  private static final IpAddress IP = IpAddress.parse("10.0.0.1");
  private static final PoolName POOL = new PoolName("blue");

  private static final List<Denial> ALL =
      List.of(
          Denial.familyDisabled(IpFamily.IPV4),
          Denial.poolRequired(IP),
          Denial.invalidAddress("x"),
          Denial.excluded(IP, POOL, "router"),
          Denial.alreadyAllocated(IP, "a"),
          Denial.notInRange(IP, "10.1.0.0/24"),
          Denial.exhausted(POOL, IpFamily.IPV4, new AddressCounts(0, 1, 0, 0), List.of()),
          Denial.notAvailableInPool(IP),
          Denial.inReleaseHandshake(IP, HandshakeState.RELEASED),
          Denial.poolNotReady(POOL, IpFamily.IPV6),
          Denial.nodeUnavailable("worker-a"),
          Denial.interfaceUnknown(IP, "eni-1"),
          Denial.unsupported(),
          Denial.leaseNotFound(IP, POOL),
          Denial.leaseMismatch(IP, POOL, new UUID(1, 2)),
          Denial.metadataFailure("team/a", "pod team/a is not known"),
          Denial.familyUnavailable(IpFamily.IPV4),
          Denial.notAllocated(IP, POOL),
          Denial.leaseExists(IP, POOL),
          Denial.unknownFamily("ipv5"),
          Denial.unknownOwner("team/b"));

  @Test
  @DisplayName("A25 Denials are equal when kind and address are, whatever their texts say")
  void equality() {
    Denial denial = Denial.notAvailableInPool(IP);
    assertThat(denial)
        .isEqualTo(Denial.notAvailableInPool(IpAddress.parse("10.0.0.1")))
        .isNotEqualTo(Denial.notAvailableInPool(IpAddress.parse("10.0.0.2")))
        .isNotEqualTo(Denial.notInRange(IP, "IP 10.0.0.1 is not available"))
        .isNotEqualTo(null);
    assertThat(denial.detail()).isEqualTo("IP 10.0.0.1 is not available");
    assertThat(new Allocation.Denied(denial))
        .isEqualTo(new Allocation.Denied(Denial.notAvailableInPool(IP)));
  }

  @Test
  @DisplayName("A25 A denial is found among the causes of another one")
  void causes() {
    Denial cause = Denial.notAvailableInPool(IP);
    Denial wrapped = Denial.notRestored("a", Denial.notRestored("b", cause));
    assertThat(wrapped.causedBy(cause)).isTrue();
    assertThat(wrapped.causedBy(wrapped)).isTrue();
    assertThat(wrapped.causedBy(Denial.notRestored("b", cause))).isTrue();
    assertThat(wrapped.causedBy(Denial.notAvailableInPool(IpAddress.parse("10.0.0.2")))).isFalse();
    assertThat(cause.causedBy(wrapped)).isFalse();
    assertThat(wrapped.code()).isEqualTo(AgentError.NOT_AVAILABLE_IN_POOL);
    assertThat(wrapped.detail())
        .isEqualTo(
            "endpoint a cannot keep its address: endpoint b cannot keep its address:"
                + " IP 10.0.0.1 is not available");
  }

  @Test
  @DisplayName(
      "Every code but those that answer no request has one denial, and docs/errors.md lists every"
          + " code as it is")
  void codes() {
    Set<AgentError> others =
        EnumSet.of(AgentError.ROUTING_CIDR_CONTRADICTS, AgentError.OFFER_REBUILT);
    assertThat(ALL.stream().map(Denial::code))
        .containsExactlyElementsOf(EnumSet.complementOf(EnumSet.copyOf(others)));
    assertThat(Arrays.stream(AgentError.values()).map(AgentError::number)).isSorted();
    ErrorDocs.assertSound(List.of(AgentError.class));
    ErrorDocs.assertListed(1600, 1699, List.of(AgentError.class));
  }

  @Test
  @DisplayName("A message has the code, the offending value and the remedy")
  void texts() {
    for (Denial denial : ALL) {
      assertThat(denial.detail()).doesNotEndWith(".").isNotBlank();
      assertThat(denial.text())
          .startsWith(denial.code().label() + " " + denial.code().name() + ": " + denial.detail())
          .endsWith(denial.code().remedy());
    }
    assertThat(ALL.stream().filter(Denial::retryable).map(Denial::code))
        .containsExactly(
            AgentError.EXHAUSTED,
            AgentError.NOT_AVAILABLE_IN_POOL,
            AgentError.IN_RELEASE_HANDSHAKE,
            AgentError.POOL_NOT_READY,
            AgentError.NODE_UNAVAILABLE,
            AgentError.INTERFACE_UNKNOWN,
            AgentError.METADATA_FAILURE);
  }
}
