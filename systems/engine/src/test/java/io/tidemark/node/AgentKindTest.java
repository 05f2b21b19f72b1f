package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.node.ResourceFacts.AgentKind;
import io.tidemark.node.ResourceFacts.AgentKind.Words;
import io.tidemark.resource.AddressDemand;
import io.tidemark.resource.NodeResource;
import io.tidemark.testing.Samples;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("NM-C10 The kind of a node's agent, by what only that kind writes")
class AgentKindTest {
  /** Such as {@code d3 c1 u2}: a demand for three, the first CIDR, the second address in use. */
  private static Words words(String text) {
    Optional<AddressDemand> demand = Optional.empty();
    Set<Cidr> cidrs = Set.of();
    AddressSet used = AddressSet.of();
    for (String word : text.equals("-") ? new String[0] : text.split(" ", -1)) {
      int number = Integer.parseInt(word.substring(1));
      switch (word.charAt(0)) {
        case 'd' -> demand = Optional.of(new AddressDemand(number, 0));
        case 'c' -> cidrs = Set.of(Cidr.parse("10.0.0." + number + "/32"));
        default -> used = AddressSet.of(IpAddress.parse("10.0.0." + number));
      }
    }
    return new Words(demand, cidrs, used);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "-, SINGLE_ADDRESSES",
    "u1, SINGLE_ADDRESSES",
    "c1 u1, SINGLE_ADDRESSES",
    "d0, MULTI_POOL",
    "d3 c1, MULTI_POOL",
    "d3 u1, UNCERTAIN",
    "d3 c1 u1, UNCERTAIN"
  })
  @DisplayName("by the first version")
  void first(String version, AgentKind kind) {
    assertThat(AgentKind.of(words(version))).isEqualTo(kind);
  }

  @ParameterizedTest(name = "{0}, then {1}, then {2}: {3}")
  @CsvSource({
    "MULTI_POOL,       d3 c1,    d3 c1,    MULTI_POOL",
    "MULTI_POOL,       d3 c1,    c1,       SINGLE_ADDRESSES",
    "MULTI_POOL,       d3 c1,    d3 c1 u1, SINGLE_ADDRESSES",
    "MULTI_POOL,       d3 c1,    d4 c1 u1, UNCERTAIN",
    "SINGLE_ADDRESSES, u1,       d3 u1,    MULTI_POOL",
    "SINGLE_ADDRESSES, d3 u1,    d3 c1 u1, MULTI_POOL",
    "SINGLE_ADDRESSES, d3 u1,    d3 u2,    SINGLE_ADDRESSES",
    "SINGLE_ADDRESSES, d3 u1,    d3,       SINGLE_ADDRESSES",
    "UNCERTAIN,        d3 u1,    d3 u1,    UNCERTAIN",
    "UNCERTAIN,        d3 u1,    d3,       UNCERTAIN",
    "UNCERTAIN,        d3 u1,    d4 u1,    MULTI_POOL",
    "UNCERTAIN,        d3 u1,    d3 u2,    SINGLE_ADDRESSES",
    "UNCERTAIN,        d3 u1,    d4 u2,    UNCERTAIN"
  })
  @DisplayName("by a version that came after another")
  void then(AgentKind before, String last, String next, AgentKind after) {
    assertThat(before.then(words(last), words(next))).isEqualTo(after);
  }

  @ParameterizedTest(name = "{0}, {1} beside {2}: {3}")
  @CsvSource({
    "MULTI_POOL,       d3 c1, d4 c2, MULTI_POOL",
    "MULTI_POOL,       d3 c1, u1,    SINGLE_ADDRESSES",
    "SINGLE_ADDRESSES, u1,    u2,    SINGLE_ADDRESSES",
    "SINGLE_ADDRESSES, u1,    d3 u1, UNCERTAIN",
    "SINGLE_ADDRESSES, d3 u1, d3 u2, SINGLE_ADDRESSES"
  })
  @DisplayName("by a version that may be older or newer")
  void beside(AgentKind kind, String last, String other, AgentKind expected) {
    assertThat(kind.beside(words(last), words(other))).isEqualTo(expected);
  }

  @Test
  @DisplayName("an address of the node itself is in no pod's use")
  void ofTheNode() {
    NodeResource node =
        Samples.parsed(
            """
            {"apiVersion":"cilium.io/v2","kind":"CiliumNode","metadata":{"name":"n1"},
             "spec":{"addresses":[{"type":"InternalIP","ip":"10.0.0.1"}]},
             "status":{"ipam":{"used":{"10.0.0.1":{"owner":"a/b"},"10.0.0.2":{"owner":"a/c"}}}}}
            """);
    assertThat(ResourceFacts.of(node).used()).isEqualTo(AddressSet.of(IpAddress.parse("10.0.0.2")));
  }
}
