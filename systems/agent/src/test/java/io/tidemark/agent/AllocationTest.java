package io.tidemark.agent;

import static io.tidemark.agent.TestNode.DEFAULT;
import static io.tidemark.agent.TestNode.denied;
import static io.tidemark.agent.TestNode.granted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.cluster.PoolMetadata;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Allocating and releasing")
class AllocationTest {
  private static final PoolName BLUE = new PoolName("blue");
  private static final PoolName RED = new PoolName("red");

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          A21 Releasing what is not allocated succeeds and is counted once \
            | range 0/24; release 5; release 192.168.0.1; take 5 a; release 5; \
              events release ipv4 = 3; events allocate ipv4 = 1; counts = 254/0/0/0/0
          An address is handed out after all others, from where the seed says \
            | range 0/29; next a = 1; release 1; next b b b b b b = 2 3 4 5 6 1
          """)
  void story(String name, String story) {
    IpamStory.run(story);
  }

  @Test
  @DisplayName("A15 A request about one address names its pool, and the result says it")
  void poolRequired() {
    TestNode node = TestNode.hostScope("10.0.0.0/24");
    IpAddress ip = IpAddress.parse("10.0.0.7");
    Denial required = Denial.poolRequired(ip);
    assertThat(denied(node.ipam.allocate(ip, "a", PoolName.NOT_GIVEN, UpstreamSync.NOW)))
        .isEqualTo(required);
    assertThat(required.detail()).contains("10.0.0.7").contains("restored");
    assertThat(node.take("10.0.0.7", "a").pool()).isEqualTo(DEFAULT);
    assertThat(node.ipam.release(ip, PoolName.NOT_GIVEN)).contains(required);
    assertThat(node.refused("10.0.0.7")).isEqualTo(Denial.alreadyAllocated(ip, "a"));
  }

  @Test
  @DisplayName("A16 Without a pool the owner's metadata decides; a named pool goes before it")
  void metadata() {
    PoolMetadata metadata =
        (owner, family) ->
            switch (owner) {
              case "team/blue" -> new PoolMetadata.Answer.Named("blue");
              case "team/new" -> new PoolMetadata.Answer.Unknown("pod team/new is not known");
              default -> new PoolMetadata.Answer.Default();
            };
    TestNode node =
        TestNode.with(
            builder ->
                builder
                    .metadata(metadata)
                    .defaultPool(RED)
                    .pool(RED, TestNode.range("10.1.0.0/24"))
                    .pool(BLUE, TestNode.range("10.2.0.0/24")));
    assertThat(next(node, "team/blue", PoolName.NOT_GIVEN)).isEqualTo("blue 10.2.0.1");
    assertThat(next(node, "team/blue", RED)).isEqualTo("red 10.1.0.1");
    assertThat(next(node, "router", PoolName.NOT_GIVEN)).isEqualTo("red 10.1.0.2");
    Denial failure =
        denied(
            node.ipam.allocateNext(
                IpFamily.IPV4, "team/new", PoolName.NOT_GIVEN, UpstreamSync.NOW));
    assertThat(failure).isEqualTo(Denial.metadataFailure("team/new", "pod team/new is not known"));
    assertThat(failure.retryable()).isTrue();
  }

  @Test
  @DisplayName("A17 Where a mode has no pools, every name means the default one, in every call")
  void anyPool() {
    TestNode node = TestNode.hostScope("10.0.0.0/24");
    PoolName override = new PoolName("override");
    assertThat(next(node, "a", override)).isEqualTo("default 10.0.0.1");
    AllocationResult taken =
        granted(node.ipam.allocate("10.0.0.9", "b", override, UpstreamSync.NOW));
    assertThat(taken.pool()).isEqualTo(DEFAULT);
    assertThat(node.ipam.dump().ipv4())
        .containsExactly(Map.entry("10.0.0.1", "a"), Map.entry("10.0.0.9", "b"));
    node.release("10.0.0.9");
    assertThat(node.ipam.dump().ipv4()).containsOnlyKeys("10.0.0.1");
  }

  @Test
  @DisplayName("A18 A disabled family is refused, and a pair consists of the enabled one alone")
  void disabledFamily() {
    TestNode node = TestNode.hostScope("10.0.0.0/24");
    Denial disabled = node.refused("f00d::1");
    assertThat(disabled).isEqualTo(Denial.familyDisabled(IpFamily.IPV6));
    assertThat(disabled.detail()).isEqualTo("IPv6 allocation disabled");
    assertThat(node.ipam.release(IpAddress.parse("f00d::1"), DEFAULT)).contains(disabled);
    Denial unavailable =
        denied(node.ipam.allocateNext(IpFamily.IPV6, "a", DEFAULT, UpstreamSync.NOW));
    assertThat(unavailable).isEqualTo(Denial.familyUnavailable(IpFamily.IPV6));
    assertThat(unavailable.detail()).isEqualTo("IPv6 allocator not available");
    PairAllocation pair = node.ipam.allocateNextPair("a", DEFAULT, UpstreamSync.NOW);
    assertThat(pair).isInstanceOf(PairAllocation.Granted.class);
    PairAllocation.Granted granted = (PairAllocation.Granted) pair;
    assertThat(granted.ipv4().orElseThrow().ip()).hasToString("10.0.0.1");
    assertThat(granted.ipv6()).isEmpty();
  }

  @Test
  @DisplayName("A19 A pair without an IPv4 address leaves no IPv6 address behind")
  void halfPair() {
    TestNode node = TestNode.hostScope("10.0.0.0/32", "f00d::/120");
    node.take("10.0.0.0", "all");
    Denial denial = denied(node.ipam.allocateNextPair("a", DEFAULT, UpstreamSync.NOW));
    assertThat(denial.code()).isEqualTo(AgentError.EXHAUSTED);
    assertThat(denial.detail())
        .isEqualTo("no IPv4 address of pool default is free: 1 in use, 0 cooling");
    assertThat(node.counts("ipv6")).isEqualTo(new AddressCounts(254, 0, 0, 0));
    node.release("10.0.0.0");
    assertThat(node.ipam.allocateNextPair("a", DEFAULT, UpstreamSync.NOW))
        .isInstanceOf(PairAllocation.Granted.class);
  }

  @Test
  @DisplayName("A19 An IPv6 address is given back when the IPv4 address is lost in between")
  void lostInBetween() {
    Allocator free =
        new ForwardingAllocator(TestNode.range("10.0.0.0/30")) {
          @Override
          public int takeNext() {
            return -1;
          }
        };
    TestNode node =
        TestNode.with(builder -> builder.allocator(free).allocator(TestNode.range("f00d::/120")));
    assertThat(denied(node.ipam.allocateNextPair("a", DEFAULT, UpstreamSync.NOW)).code())
        .isEqualTo(AgentError.EXHAUSTED);
    assertThat(node.counts("ipv6")).isEqualTo(new AddressCounts(254, 0, 0, 0));
    assertThat(node.events("release", "ipv6")).isEqualTo(1);
  }

  @Test
  @DisplayName("A19 While one family has no address, the other one is not touched")
  void otherFamilyUntouched() {
    TestNode node =
        TestNode.cooling(Duration.ofMinutes(1), Duration.ZERO, "10.0.0.0/32", "f00d::/120");
    node.take("10.0.0.0", "all");
    for (int i = 0; i < 5; i++) {
      denied(node.ipam.allocateNextPair("a", DEFAULT, UpstreamSync.NOW));
    }
    assertThat(node.counts("ipv6")).isEqualTo(new AddressCounts(254, 0, 0, 0));
    assertThat(node.denials("exhausted", "ipv4")).isEqualTo(5);
    assertThat(node.events("allocate", "ipv6")).isZero();
    assertThat(node.events("release", "ipv6")).isZero();
    assertThat(node.next(IpFamily.IPV6, "b").ip()).hasToString("f00d::1");
  }

  @Test
  @DisplayName("A22 A text that is no address is quoted")
  void notAnAddress() {
    Denial denial = TestNode.hostScope("10.0.0.0/24").refused("x");
    assertThat(denial).isEqualTo(Denial.invalidAddress("x"));
    assertThat(denial.text())
        .isEqualTo(
            "TM-1603 INVALID_ADDRESS: \"x\" is not an IP address."
                + " Give one IPv4 or IPv6 address, without a prefix length.");
  }

  @Test
  @DisplayName("A23 64 threads get each of 254 addresses exactly once")
  void threads() throws Exception {
    TestNode node = TestNode.hostScope("10.0.0.0/24");
    Set<String> addresses = ConcurrentHashMap.newKeySet();
    ExecutorService pool = Executors.newFixedThreadPool(64);
    try {
      List<Future<Integer>> refusals =
          IntStream.range(0, 64).mapToObj(i -> pool.submit(() -> drain(node, addresses))).toList();
      int refused = 0;
      for (Future<Integer> each : refusals) {
        refused += each.get();
      }
      assertThat(refused).isEqualTo(64 * 8 - 254);
    } finally {
      pool.shutdownNow();
    }
    assertThat(addresses).hasSize(254);
    assertThat(node.events("allocate", "ipv4")).isEqualTo(254);
    assertThat(node.denials("exhausted", "ipv4")).isEqualTo(64 * 8 - 254);
  }

  private static int drain(TestNode node, Set<String> addresses) {
    int refused = 0;
    for (int i = 0; i < 8; i++) {
      Allocation next = node.ipam.allocateNext(IpFamily.IPV4, "t", DEFAULT, UpstreamSync.DEFER);
      if (next instanceof Allocation.Granted granted) {
        addresses.add(granted.result().ip().toString());
      } else {
        refused++;
      }
    }
    return refused;
  }

  @Test
  @DisplayName("What is allocated or released is published at once, unless it was to be deferred")
  void published() {
    TestNode node = TestNode.hostScope("10.0.0.0/24");
    granted(node.ipam.allocate("10.0.0.1", "a", DEFAULT, UpstreamSync.DEFER));
    granted(node.ipam.allocateNext(IpFamily.IPV4, "b", DEFAULT, UpstreamSync.DEFER));
    assertThat(node.published).isEmpty();
    node.ipam.restoreFinished(IpFamily.IPV4);
    node.ipam.restoreFinished(IpFamily.IPV4);
    assertThat(node.published).containsExactly("restored IPv4");
    node.take("10.0.0.3", "c");
    node.release("10.0.0.3");
    assertThat(node.published).containsExactly("restored IPv4", "changed", "changed");
    assertThat(node.refused("10.0.0.1").code()).isEqualTo(AgentError.ALREADY_ALLOCATED);
    assertThat(node.published).hasSize(3);
  }

  @Test
  @DisplayName("Two allocators of one pool and family, or allocators with and without pools, clash")
  void clash() {
    assertThatThrownBy(() -> TestNode.hostScope("10.0.0.0/24", "10.1.0.0/24"))
        .hasMessage("pool default has two allocators for IPv4");
    assertThatThrownBy(
            () ->
                TestNode.with(
                    builder ->
                        TestNode.ranges(builder, "10.0.0.0/24")
                            .pool(RED, TestNode.range("10.1.0.0/24"))))
        .hasMessage("there are allocators with pools and without");
    assertThatThrownBy(() -> TestNode.with(builder -> builder.defaultPool(PoolName.NOT_GIVEN)))
        .hasMessage("ipam-default-ip-pool is empty; expected a name");
  }

  private static String next(TestNode node, String owner, PoolName pool) {
    AllocationResult result =
        granted(node.ipam.allocateNext(IpFamily.IPV4, owner, pool, UpstreamSync.NOW));
    return result.pool() + " " + result.ip();
  }
}
