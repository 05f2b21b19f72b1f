package io.tidemark.provider.kit.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.kit.Held;
import io.tidemark.provider.kit.InstanceInventory;
import io.tidemark.provider.kit.Known;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.provider.kit.pool.PoolLedger;
import io.tidemark.provider.kit.pool.Rung;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Adding addresses to an attached interface, rung by rung")
class AddressAssignmentTest {
  private static final PoolId POOL = Known.POOL;
  private static final InstanceId NODE = Known.INSTANCE;
  private static final InterfaceId ENI = new InterfaceId("eni-1");
  private static final AddressSet ADDRESSES = AddressSet.ofRange(Cidr.parse("10.0.0.0/24"));
  private static final Cidr BLOCK = Cidr.parse("10.0.1.0/28");

  private final Known known = new Known(Held.empty("eni-1"));
  private final PoolLedger<String> pools = known.account.pools();
  private final InstanceInventory<Held> inventory = known.account.inventory();
  private final Deque<CallResult<AttachedInterface>> answers = new ArrayDeque<>();
  private final List<String> asked = new ArrayList<>();

  private Pool<String> pool() {
    return pools.find(POOL).orElseThrow();
  }

  private Rung<String> rung(int blocks, int singles) {
    return new Rung<>(pool(), blocks, singles, blocks > 0 ? "prefixes" : "singles");
  }

  private void answers(AddressSet singles, Cidr... blocks) {
    answers.add(new CallResult.Answered<>(new AttachedInterface(ENI, singles, List.of(blocks))));
  }

  private void fails(Failure.Kind kind, String condition) {
    answers.add(new CallResult.Failed<>(Failure.of(kind, condition, "detail")));
  }

  private AllocationOutcome run(List<Rung<String>> ladder) {
    return new AddressAssignment<Held, String>(
            known.account,
            rung -> {
              asked.add(rung.blocks() + " blocks " + rung.singles() + " singles");
              return CompletableFuture.completedStage(answers.remove());
            })
        .run(NODE, Held.empty("eni-1"), ladder, known.context())
        .toCompletableFuture()
        .join();
  }

  private int inInventory() {
    return inventory.find(NODE).orElseThrow().find(ENI).orElseThrow().slotsTaken();
  }

  @Test
  @DisplayName("what the cloud gave is in the inventory and in the pool's account with the outcome")
  void assigned() {
    answers(ADDRESSES.first(3));
    AllocationOutcome outcome = run(List.of(rung(0, 3)));
    assertThat(outcome).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(((AllocationOutcome.Allocated) outcome).addresses()).isEqualTo(3);
    assertThat(inInventory()).isEqualTo(3);
    assertThat(pool().free()).isEqualTo(97);
  }

  @Test
  @DisplayName("no room for blocks: the next rung asks for singles, and blocks rest for a while")
  void nextRung() {
    fails(Failure.Kind.CAPACITY, "full");
    answers(ADDRESSES.first(2));
    assertThat(run(List.of(rung(1, 0), rung(0, 2))))
        .isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(asked).containsExactly("1 blocks 0 singles", "0 blocks 2 singles");
    assertThat(pool().mayHaveBlocks()).isFalse();
    assertThat(pool().mayHaveAddresses()).isTrue();
  }

  @Test
  @DisplayName("no room on the last rung is the pool's; nothing is taken")
  void exhausted() {
    fails(Failure.Kind.CAPACITY, "full");
    assertThat(run(List.of(rung(0, 2)))).isEqualTo(new AllocationOutcome.PoolExhausted(POOL));
    assertThat(pool().mayHaveAddresses()).isFalse();
    assertThat(inInventory()).isZero();
  }

  @Test
  @DisplayName("any other failure ends it without another rung")
  void refused() {
    fails(Failure.Kind.THROTTLED, "slow");
    assertThat(run(List.of(rung(1, 0), rung(0, 2)))).isInstanceOf(AllocationOutcome.Refused.class);
    assertThat(asked).hasSize(1);
    assertThat(pool().free()).isEqualTo(100);
  }

  @Test
  @DisplayName(
      "of a lost answer the doubt is kept: taken from the pool, and nothing is added to it")
  void lost() {
    fails(Failure.Kind.LOST, "timeout");
    assertThat(run(List.of(rung(0, 2)))).isInstanceOf(AllocationOutcome.Unknown.class);
    assertThat(pool().free()).isEqualTo(98);
    assertThat(inventory.find(NODE).orElseThrow().doubtful()).isTrue();
  }

  @Test
  @DisplayName("an answer without addresses, and a ladder without rungs, are refused")
  void nothing() {
    answers(AddressSet.of());
    assertThat(run(List.of(rung(0, 2)))).isInstanceOf(AllocationOutcome.Refused.class);
    assertThat(run(List.of())).isInstanceOf(AllocationOutcome.Refused.class);
    assertThat(asked).hasSize(1);
    assertThat(pool().free()).isEqualTo(100);
  }

  @Test
  @DisplayName("a block counts whole")
  void block() {
    answers(AddressSet.of(), BLOCK);
    AllocationOutcome outcome = run(List.of(rung(1, 0)));
    assertThat(((AllocationOutcome.Allocated) outcome).addresses()).isEqualTo(16);
    assertThat(pool().free()).isEqualTo(84);
  }
}
