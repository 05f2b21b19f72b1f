package io.tidemark.agent.multipool;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.PoolName;
import io.tidemark.agent.multipool.CidrEntry.Phase;
import io.tidemark.agent.multipool.CidrStates.Need;
import io.tidemark.agent.multipool.OfferedCidrs.Edges;
import io.tidemark.agent.multipool.RememberedCidr.State;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A82 What is known of blocks over a restart")
class CidrHistoryTest {
  private static final PoolName MARS = new PoolName("mars");
  private static final PoolName VENUS = new PoolName("venus");
  private static final long EPOCH = 1_700_000_000_000L;

  /** Restarts are seconds apart by the clock, and each begins at another monotonic time. */
  private static VirtualTime clock(long seconds, long monotonicSeconds) {
    long before = Duration.ofSeconds(monotonicSeconds).toMillis();
    VirtualTime time = new VirtualTime(EPOCH + seconds * 1_000 - before);
    time.runUntil(time.nanos() + Duration.ofSeconds(monotonicSeconds).toNanos());
    assertThat(time.epochMillis()).isEqualTo(EPOCH + seconds * 1_000);
    return time;
  }

  private static CidrHistory history(Optional<List<RememberedCidr>> stored, VirtualTime time) {
    return new CidrHistory(stored, time, TestPools.QUARANTINE);
  }

  private static CidrStates states(VirtualTime time, Cidr cidr, Phase phase, int seconds) {
    long nanos = time.nanos() + Duration.ofSeconds(seconds).toNanos();
    CidrEntry entry = new CidrEntry(cidr, Edges.NONE, phase, nanos, false);
    return new CidrStates(List.of(entry), Set.of(), Map.of(), Map.of(), true);
  }

  /**
   * The phase that the next process gives a block, which its object lists from the first version
   * on.
   */
  private static CidrStates taken(CidrStates recalled, Cidr cidr, VirtualTime time) {
    CidrStates.Use unused =
        new CidrStates.Use() {
          @Override
          public int held(Cidr any) {
            return 0;
          }

          @Override
          public int free(Cidr any) {
            return 16;
          }
        };
    OfferedCidrs offer =
        new OfferedCidrs(List.of(cidr), Set.of(cidr), Edges.NONE, true, Set.of(), Optional.empty());
    Need need = new Need(1, 0, 0, false);
    return recalled.observe(offer, unused, need, TestPools.QUARANTINE, time.nanos());
  }

  @ParameterizedTest(name = "{0} since {1} s, stopped for {2} s: {3}, ending in {4} s")
  @DisplayName("goes on with its age, whatever monotonic time the next process begins at")
  @CsvSource({
    "DRAWN,           0,   0, DRAWN,         0",
    "DRAWN,           0, 900, DRAWN,         0",
    "ADOPTED,         0,   0, DRAWN,         0",
    "ADOPTED,        10,   7, DRAWN,         0",
    "ADOPTED,        10,   8, QUARANTINED, 240",
    "ADOPTED,         0,  18, QUARANTINED, 240",
    "ADOPTED,         5, 900, QUARANTINED, 240",
    "ADOPTED,        10,  -1, DRAWN,         0",
    "ADOPTED,         3,  -4, QUARANTINED, 240",
    "FIRST,          10,   8, QUARANTINED, 240",
    "ADOPTED_AGAIN,   0,   0, QUARANTINED, 240",
    "ADOPTED_AGAIN, 900, 900, QUARANTINED, 240",
    "QUARANTINED,  -100,   0, QUARANTINED, 100",
    "QUARANTINED,  -100,  60, QUARANTINED,  40",
    "QUARANTINED,  -100, 100, DRAWN,         0",
    "QUARANTINED,  -100, 900, DRAWN,         0",
    "QUARANTINED,  -100, -99, QUARANTINED, 199",
    "QUARANTINED,  -100, -900, QUARANTINED, 240",
  })
  void restart(Phase phase, int since, int stopped, Phase next, int left) {
    for (Cidr cidr : cidrs()) {
      VirtualTime first = clock(5_000, 3_000);
      List<RememberedCidr> kept =
          history(Optional.empty(), first).remembered(MARS, states(first, cidr, phase, -since));
      VirtualTime second = clock(5_000 + stopped, 70);
      CidrStates recalled = history(Optional.of(kept), second).states(MARS, cidr.family());
      CidrEntry entry = taken(recalled, cidr, second).entries().get(0);
      assertThat(entry.phase()).as("%s", cidr).isEqualTo(next);
      assertThat(next == Phase.QUARANTINED ? entry.nanos() - second.nanos() : 0)
          .as("%s", cidr)
          .isEqualTo(Duration.ofSeconds(left).toNanos());
    }
  }

  private static List<Cidr> cidrs() {
    return List.of(Cidr.parse("10.0.0.0/28"), Cidr.parse("fd00::/124"));
  }

  @Test
  @DisplayName("a block that was given back stays so, in its own pool and family alone")
  void dropped() {
    VirtualTime time = clock(0, 0);
    List<RememberedCidr> kept = new ArrayList<>();
    for (Cidr cidr : cidrs()) {
      CidrStates states = new CidrStates(List.of(), Set.of(cidr), Map.of(), Map.of(), true);
      kept.addAll(history(Optional.empty(), time).remembered(MARS, states));
    }
    assertThat(kept)
        .containsExactly(
            new RememberedCidr(MARS, cidrs().get(0), State.DROPPED, 0),
            new RememberedCidr(MARS, cidrs().get(1), State.DROPPED, 0));
    CidrHistory history = history(Optional.of(kept), clock(600, 0));
    for (Cidr cidr : cidrs()) {
      CidrStates same = history.states(MARS, cidr.family());
      assertThat(taken(same, cidr, time).entries().get(0).phase())
          .as("%s is needed again, and has a pause", cidr)
          .isEqualTo(Phase.QUARANTINED);
      CidrStates elsewhere = history.states(VENUS, cidr.family());
      assertThat(taken(elsewhere, cidr, time).entries().get(0).phase()).isEqualTo(Phase.DRAWN);
      IpFamily other = cidr.family() == IpFamily.IPV4 ? IpFamily.IPV6 : IpFamily.IPV4;
      assertThat(taken(history.states(MARS, other), cidr, time).entries().get(0).phase())
          .isEqualTo(Phase.DRAWN);
    }
  }

  @Test
  @DisplayName("without a record nothing is certain, unless no process was here before")
  void withoutRecord() {
    VirtualTime time = clock(0, 0);
    CidrHistory history = history(Optional.empty(), time);
    assertThat(history.states(MARS, IpFamily.IPV4)).isSameAs(CidrStates.EMPTY);
    history.isFirstProcess();
    assertThat(history.states(MARS, IpFamily.IPV4)).isNotSameAs(CidrStates.EMPTY);
    Cidr cidr = cidrs().get(0);
    CidrHistory recorded =
        history(Optional.of(List.of(new RememberedCidr(MARS, cidr, State.DRAWN, 0))), time);
    recorded.isFirstProcess();
    assertThat(taken(recorded.states(MARS, IpFamily.IPV4), cidr, time).entries().get(0).phase())
        .isEqualTo(Phase.DRAWN);
  }

  @Test
  @DisplayName("is stored when it is another, and again after a failure")
  void persist() {
    List<List<RememberedCidr>> stored = new ArrayList<>();
    Deque<Optional<String>> failures = new ArrayDeque<>();
    CidrHistory history = history(Optional.of(List.of()), clock(0, 0));
    history.keptBy(
        all -> {
          stored.add(all);
          return CompletableFuture.completedStage(failures.remove());
        });
    assertThat(history.persist(List.of()).toCompletableFuture().join()).isEmpty();
    assertThat(stored).as("as it was").isEmpty();
    List<RememberedCidr> one = List.of(new RememberedCidr(MARS, cidrs().get(0), State.DRAWN, 0));
    failures.add(Optional.of("disk full"));
    failures.add(Optional.empty());
    assertThat(history.persist(one).toCompletableFuture().join()).contains("disk full");
    assertThat(history.persist(one).toCompletableFuture().join()).isEmpty();
    assertThat(history.persist(one).toCompletableFuture().join()).isEmpty();
    assertThat(stored).containsExactly(one, one);
  }
}
