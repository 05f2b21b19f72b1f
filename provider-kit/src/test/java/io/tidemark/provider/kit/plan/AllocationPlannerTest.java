package io.tidemark.provider.kit.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.kit.Held;
import io.tidemark.provider.kit.InstanceView;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.resilience.CallKind;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What to do next for a node that lacks addresses (node-manager 3.7)")
class AllocationPlannerTest {
  private static final CallKind ASSIGN = new CallKind("assign", CallKind.Effect.REPEATABLE);
  private static final CallKind CREATE = new CallKind("create", CallKind.Effect.REPEATABLE);

  private final List<Held> attached = new ArrayList<>();
  private final Map<PoolId, Pool<String>> pools = new TreeMap<>();
  private final List<Pool<String>> eligible = new ArrayList<>();
  private Machine machine = Machine.plain(4, 10);
  private boolean doubtful;
  private boolean offersBoth;
  private boolean creates = true;

  private Pool<String> pool(String id, int free, boolean fragmented) {
    Pool<String> pool =
        new Pool<>(
            new PoolId(id), "zone-a", id, true, free, OptionalInt.empty(), false, fragmented);
    pools.put(pool.id(), pool);
    return pool;
  }

  private AllocationAction plan() {
    return new AllocationPlanner<>(
            machine,
            new InstanceView<>(1, attached, doubtful),
            each -> Optional.ofNullable(pools.get(each.pool())),
            new Rules())
        .plan();
  }

  private Blocked why() {
    return plan().blocked().orElseThrow();
  }

  @Test
  @DisplayName("K8 a cloud that creates no interface tells its own reason when all is taken")
  void ownReason() {
    machine = Machine.plain(1, 10);
    attached.add(Held.of(1, "a", 10, 0));
    pool("a", 100, false);
    assertThat(why().reason()).isEqualTo(BlockedReason.OUT_OF_INTERFACES);
    creates = false;
    assertThat(why())
        .isEqualTo(new Blocked(BlockedReason.ADDRESS_LIMIT, "all interfaces are full"));
  }

  private final class Rules implements AllocationPlanner.Rules<Held, String> {
    @Override
    public Words words() {
      return new Words("the cloud", "block");
    }

    @Override
    public Comparator<Held> order() {
      return Comparator.comparing(Held::id);
    }

    @Override
    public CallKind assign() {
      return ASSIGN;
    }

    @Override
    public CallKind create() {
      assertThat(creates).isTrue();
      return CREATE;
    }

    @Override
    public boolean offersBoth() {
      return offersBoth;
    }

    @Override
    public List<Pool<String>> eligible() {
      return eligible;
    }

    @Override
    public String whyNoPool() {
      return "no pool is tagged";
    }

    @Override
    public BlockedReason whenFull() {
      return creates ? AllocationPlanner.Rules.super.whenFull() : BlockedReason.ADDRESS_LIMIT;
    }

    @Override
    public String allTaken() {
      return "all interfaces are full";
    }
  }

  @Test
  @DisplayName("the least interface with room, in a pool with addresses, is filled")
  void fill() {
    pool("empty", 0, false);
    pool("full", 100, false);
    attached.add(Held.of(1, "empty", 0, 0));
    attached.add(Held.of(2, "full", 10, 0));
    attached.add(Held.of(3, "full", 4, 0));
    AllocationAction plan = plan();
    assertThat(plan.onInterface()).contains(new InterfaceId("eni-3"));
    assertThat(plan.pool()).contains(new PoolId("full"));
    assertThat(plan.ipv4().roomOnInterface()).isEqualTo(6);
    assertThat(plan.firstCalls()).containsExactly(ASSIGN);
  }

  @Test
  @DisplayName("no more is planned than the pool has")
  void poolBounds() {
    pool("small", 3, false);
    attached.add(Held.of(1, "small", 0, 0));
    assertThat(plan().ipv4().roomOnInterface()).isEqualTo(3);
  }

  @Test
  @DisplayName("with blocks a pool that may have one comes first, and room counts whole blocks")
  void blocks() {
    machine = machine.withBlocks(false);
    pool("fragmented", 100, true);
    pool("whole", 40, false);
    attached.add(Held.of(1, "fragmented", 0, 0));
    attached.add(Held.of(2, "whole", 0, 0));
    AllocationAction plan = plan();
    assertThat(plan.onInterface()).contains(new InterfaceId("eni-2"));
    assertThat(plan.ipv4().blockSize()).isEqualTo(16);
    assertThat(plan.ipv4().roomOnInterface()).as("two blocks of 40 addresses").isEqualTo(32);
    attached.remove(1);
    assertThat(plan().ipv4().blockSize()).as("singles where no block is").isEqualTo(1);
  }

  @Test
  @DisplayName("without room an interface is created in the first eligible pool with room")
  void create() {
    attached.add(Held.of(1, "a", 10, 0));
    eligible.add(pool("a", 1, false));
    eligible.add(pool("b", 50, false));
    AllocationAction plan = plan();
    assertThat(plan.onInterface()).isEmpty();
    assertThat(plan.pool()).contains(new PoolId("b"));
    assertThat(plan.emptyInterfaceSlots()).isEqualTo(3);
    assertThat(plan.firstCalls()).containsExactly(CREATE);
  }

  @Test
  @DisplayName("both ways are offered where the cloud wants it and a new interface is possible")
  void both() {
    offersBoth = true;
    attached.add(Held.of(1, "a", 0, 0));
    eligible.add(pool("a", 50, false));
    assertThat(plan().firstCalls()).containsExactly(ASSIGN, CREATE);
    eligible.clear();
    assertThat(plan().firstCalls()).containsExactly(ASSIGN);
  }

  @Test
  @DisplayName("nothing is planned while it is not known what a lost request has added")
  void doubtful() {
    pool("a", 50, false);
    attached.add(Held.of(1, "a", 0, 0));
    doubtful = true;
    assertThat(why().reason()).isEqualTo(BlockedReason.READING_BACK);
    assertThat(why().detail()).contains("the cloud");
  }

  @Test
  @DisplayName("why nothing can be done: pools, no pool, all places taken, blocks wanted")
  void blocked() {
    machine = Machine.plain(1, 10);
    attached.add(Held.of(1, "a", 4, 0));
    pool("a", 0, false);
    assertThat(why())
        .isEqualTo(new Blocked(BlockedReason.SUBNET_EXHAUSTED, "no free address in [a]"));

    machine = Machine.plain(2, 4);
    assertThat(why()).isEqualTo(new Blocked(BlockedReason.NO_SUBNET, "no pool is tagged"));
    eligible.add(pool("b", 1, false));
    assertThat(why())
        .isEqualTo(
            new Blocked(BlockedReason.SUBNET_EXHAUSTED, "fewer than 2 free addresses in [b]"));

    machine = Machine.plain(1, 4);
    assertThat(why())
        .isEqualTo(new Blocked(BlockedReason.OUT_OF_INTERFACES, "all interfaces are full"));
    machine = machine.withBlocks(false);
    assertThat(why().reason()).isEqualTo(BlockedReason.SUBNET_FRAGMENTED);
    assertThat(why().detail()).startsWith("4 places hold single addresses, because no block");
  }

  @Test
  @DisplayName("an excluded interface is not filled, and what it holds is no reason")
  void excluded() {
    machine = Machine.plain(2, 4).withBlocks(false);
    pool("a", 100, false);
    attached.add(Held.of(0, "a", 1, 0));
    attached.add(Held.of(1, "a", 0, 4));
    assertThat(why())
        .as("only the excluded one has room and singles")
        .isEqualTo(new Blocked(BlockedReason.OUT_OF_INTERFACES, "all interfaces are full"));
  }

  @Test
  @DisplayName("an interface whose pool is not known is passed over")
  void unknownPool() {
    pool("a", 100, false);
    attached.add(Held.of(1, "unknown", 0, 0));
    attached.add(Held.of(2, "a", 0, 0));
    assertThat(plan().onInterface()).contains(new InterfaceId("eni-2"));
    assertThat(plan().ipv4().interfaceCandidates()).isEqualTo(2);
  }

  @Test
  @DisplayName("without blocks the order of the cloud alone decides, fragmented or not")
  void orderWithoutBlocks() {
    pool("fragmented", 100, true);
    pool("whole", 100, false);
    attached.add(Held.of(1, "fragmented", 0, 0));
    attached.add(Held.of(2, "whole", 0, 0));
    assertThat(plan().onInterface()).contains(new InterfaceId("eni-1"));
    assertThat(plan().ipv4().blockSize()).isEqualTo(1);
  }

  @Test
  @DisplayName("no interface is created, or offered, beyond those that the machine can have")
  void noPlaceLeft() {
    machine = Machine.plain(1, 10);
    eligible.add(pool("a", 50, false));
    attached.add(Held.of(1, "a", 10, 0));
    assertThat(why().reason()).isEqualTo(BlockedReason.OUT_OF_INTERFACES);
    attached.clear();
    attached.add(Held.of(1, "a", 0, 0));
    offersBoth = true;
    assertThat(plan().firstCalls()).containsExactly(ASSIGN);
    machine = Machine.plain(2, 10);
    offersBoth = false;
    assertThat(plan().firstCalls()).as("one request alone is wanted").containsExactly(ASSIGN);
  }
}
