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
          new Denial.FamilyDisabled(IpFamily.IPV4),
          new Denial.PoolRequired(IP),
          new Denial.InvalidAddress("x"),
          new Denial.Excluded(IP, POOL, "router"),
          new Denial.AlreadyAllocated(IP, "a"),
          new Denial.NotInRange(IP, "10.1.0.0/24"),
          new Denial.Exhausted(POOL, IpFamily.IPV4, new AddressCounts(0, 1, 0, 0), List.of()),
          new Denial.NotAvailableInPool(IP),
          new Denial.InReleaseHandshake(IP, HandshakeState.RELEASED),
          new Denial.PoolNotReady(POOL, IpFamily.IPV6),
          new Denial.NodeUnavailable("worker-a"),
          new Denial.InterfaceUnknown(IP, "eni-1"),
          new Denial.Unsupported(),
          new Denial.LeaseNotFound(IP, POOL),
          new Denial.LeaseMismatch(IP, POOL, new UUID(1, 2)),
          new Denial.MetadataFailure("team/a", "pod team/a is not known"),
          new Denial.FamilyUnavailable(IpFamily.IPV4),
          new Denial.NotAllocated(IP, POOL),
          new Denial.LeaseExists(IP, POOL),
          new Denial.UnknownFamily("ipv5"),
          new Denial.UnknownOwner("team/b"));

  @Test
  @DisplayName("A25 Denials are equal when kind and address are, whatever their texts say")
  void equality() {
    Denial denial = new Denial.NotAvailableInPool(IP);
    assertThat(denial)
        .isEqualTo(new Denial.NotAvailableInPool(IpAddress.parse("10.0.0.1")))
        .isNotEqualTo(new Denial.NotAvailableInPool(IpAddress.parse("10.0.0.2")))
        .isNotEqualTo(new Denial.NotInRange(IP, "IP 10.0.0.1 is not available"))
        .isNotEqualTo(null);
    assertThat(denial.detail()).isEqualTo("IP 10.0.0.1 is not available");
    assertThat(new Allocation.Denied(denial))
        .isEqualTo(new Allocation.Denied(new Denial.NotAvailableInPool(IP)));
  }

  @Test
  @DisplayName("A25 A denial is found among the causes of another one")
  void causes() {
    Denial cause = new Denial.NotAvailableInPool(IP);
    Denial wrapped = new Denial.NotRestored("a", new Denial.NotRestored("b", cause));
    assertThat(wrapped.causedBy(cause)).isTrue();
    assertThat(wrapped.causedBy(wrapped)).isTrue();
    assertThat(wrapped.causedBy(new Denial.NotRestored("b", cause))).isTrue();
    assertThat(wrapped.causedBy(new Denial.NotAvailableInPool(IpAddress.parse("10.0.0.2"))))
        .isFalse();
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
