package io.tidemark.provider.kit.plan;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.kit.Held;
import io.tidemark.provider.kit.InstanceView;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.resilience.CallKind;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.PoolId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  private void set(String machines, String interfaces, String from, String rules) {
    Matcher size = Pattern.compile("(\\d)x(\\d+)( blocks)?").matcher(machines);
    assertThat(size.matches()).as(machines).isTrue();
    machine = Machine.plain(Integer.parseInt(size.group(1)), Integer.parseInt(size.group(2)));
    machine = size.group(3) == null ? machine : machine.withBlocks(false);
    Pattern.compile("(\\d):(\\w+)/(\\d+)/(\\d+)")
        .matcher(interfaces)
        .results()
        .map(
            each ->
                Held.of(
                    Integer.parseInt(each.group(1)),
                    each.group(2),
                    Integer.parseInt(each.group(3)),
                    Integer.parseInt(each.group(4))))
        .forEach(attached::add);
    for (String each : from.split(" ", -1)) {
      String[] parts = each.split("[=~*]", -1);
      PoolId id = new PoolId(parts[0]);
      int free = Integer.parseInt(parts[1]);
      OptionalInt none = OptionalInt.empty();
      pools.put(
          id, new Pool<>(id, "zone-a", "subnet", true, free, none, false, each.contains("~")));
      if (each.endsWith("*")) {
        eligible.add(pools.get(id));
      }
    }
    doubtful = rules.equals("doubtful");
    offersBoth = rules.equals("both");
    creates = !rules.equals("creates none");
  }

  private static String text(AllocationAction plan) {
    return plan.blocked()
        .map(why -> why.reason() + ": " + why.detail())
        .orElseGet(
            () ->
                plan.firstCalls().stream().map(CallKind::name).collect(joining(" or "))
                    + plan.onInterface()
                        .map(
                            id ->
                                " "
                                    + id.text()
                                    + " "
                                    + plan.ipv4().roomOnInterface()
                                    + "/"
                                    + plan.ipv4().blockSize())
                        .orElse("")
                    + " of "
                    + plan.pool().orElseThrow().text()
                    + ", "
                    + plan.ipv4().interfaceCandidates()
                    + " candidates"
                    + ", "
                    + plan.emptyInterfaceSlots()
                    + " slots");
  }

  @DisplayName("K8 an interface with room is filled, or one is created, or it is said why neither")
  @ParameterizedTest(name = "{0}: {1} with {2} from {3} {4}: {5}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # what | interfaces x places | number:pool/singles/blocks | free, ~ no block, * eligible
          the least interface with room, in a pool with addresses, is filled \
            | 4x10 | 1:empty/0/0 2:full/10/0 3:full/4/0 | empty=0 full=100 | '' \
            | assign eni-3 6/1 of full, 2 candidates, 1 slots
          no more is planned than the pool has \
            | 4x10 | 1:small/0/0 | small=3 | '' | assign eni-1 3/1 of small, 1 candidates, 3 slots
          a pool that may have a block comes first, and room counts whole blocks, two of 40 addresses \
            | 4x10 blocks | 1:a/0/0 2:b/0/0 | a=100~ b=40 | '' \
            | assign eni-2 32/16 of b, 2 candidates, 2 slots
          singles where no block is \
            | 4x10 blocks | 1:a/0/0 | a=100~ b=40 | '' | assign eni-1 10/1 of a, 1 candidates, 3 slots
          without blocks the order of the cloud alone decides, fragmented or not \
            | 4x10 | 1:a/0/0 2:b/0/0 | a=100~ b=100 | '' \
            | assign eni-1 10/1 of a, 2 candidates, 2 slots
          an interface whose pool is not known is passed over \
            | 4x10 | 1:unknown/0/0 2:a/0/0 | a=100 | '' \
            | assign eni-2 10/1 of a, 2 candidates, 2 slots
          without room an interface is created in the first eligible pool with room \
            | 4x10 | 1:a/10/0 | a=1* b=50* | '' | create of b, 0 candidates, 3 slots
          both ways are offered where the cloud wants it and a new interface is possible \
            | 4x10 | 1:a/0/0 | a=50* | both | assign or create eni-1 10/1 of a, 1 candidates, 3 slots
          not where no pool is eligible \
            | 4x10 | 1:a/0/0 | a=50 | both | assign eni-1 10/1 of a, 1 candidates, 3 slots
          nor beyond the interfaces that the machine can have \
            | 1x10 | 1:a/0/0 | a=50* | both | assign eni-1 10/1 of a, 1 candidates, 0 slots
          nor where one request alone is wanted \
            | 2x10 | 1:a/0/0 | a=50* | '' | assign eni-1 10/1 of a, 1 candidates, 1 slots
          nothing is planned while it is not known what a lost request has added \
            | 4x10 | 1:a/0/0 | a=50 | doubtful \
            | READING_BACK: the answer to a request that adds addresses was lost, and the cloud has \
              not yet shown its effect
          no address is left | 1x10 | 1:a/4/0 | a=0 | '' | SUBNET_EXHAUSTED: no free address in [a]
          no pool is eligible | 2x4 | 1:a/4/0 | a=0 | '' | NO_SUBNET: no pool is tagged
          an interface needs two addresses \
            | 2x4 | 1:a/4/0 | a=0 b=1* | '' | SUBNET_EXHAUSTED: fewer than 2 free addresses in [b]
          all places are taken \
            | 1x4 | 1:a/4/0 | a=0 b=1* | '' | OUT_OF_INTERFACES: all interfaces are full
          by singles where blocks are wanted \
            | 1x4 blocks | 1:a/4/0 | a=0 b=1* | '' \
            | SUBNET_FRAGMENTED: 4 places hold single addresses, because no block \
              was free for them
          no interface is created beyond those that the machine can have \
            | 1x10 | 1:a/10/0 | a=50* | '' | OUT_OF_INTERFACES: all interfaces are full
          K8 a cloud that creates no interface tells its own reason when all is taken \
            | 1x10 | 1:a/10/0 | a=100 | creates none | ADDRESS_LIMIT: all interfaces are full
          an excluded interface is not filled, and what it holds is no reason \
            | 2x4 blocks | 0:a/1/0 1:a/0/4 | a=100 | '' | OUT_OF_INTERFACES: all interfaces are full
          """)
  void plans(
      String what, String machines, String interfaces, String from, String rules, String expected) {
    set(machines, interfaces, from, rules);
    AllocationPlanner<?, ?> planner =
        new AllocationPlanner<>(
            machine,
            new InstanceView<>(1, attached, doubtful),
            each -> Optional.ofNullable(pools.get(each.pool())),
            new Rules());
    assertThat(text(planner.plan())).as(what).isEqualTo(expected.replaceAll(" +", " "));
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
}
