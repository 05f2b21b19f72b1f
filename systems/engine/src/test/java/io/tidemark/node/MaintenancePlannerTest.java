package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.spi.AddressPlan;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.Capability;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.InterfaceStatistics;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.contract.UnaskedOperations;
import io.tidemark.testing.NodeSample;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A row has the numbers of a node with one interface that is kept and one that is emptied, as
 * "kept=8 emptied=3", what its provider offers, and the plan: "for [3]" are the surpluses that the
 * provider was asked to choose from.
 */
@DisplayName("What a pass does, from one snapshot and the provider's plans (node-manager 3.7, 3.8)")
class MaintenancePlannerTest {
  private static final InterfaceId KEPT = new InterfaceId("kept");
  private static final InterfaceId EMPTIED = new InterfaceId("emptied");
  private static final AddressSet KEPT_RANGE = AddressSet.ofRange(Cidr.parse("10.0.1.0/24"));
  private static final AddressSet EMPTIED_RANGE = AddressSet.ofRange(Cidr.parse("10.0.2.0/24"));
  private static final Cidr BLOCK = Cidr.parse("10.0.3.0/28");

  private EngineConfig config = EngineConfig.defaults().releasingAfter(Duration.ofSeconds(5));
  private final Set<Capability> capabilities = EnumSet.allOf(Capability.class);
  private final List<Integer> excessAsked = new ArrayList<>();
  private final NodeSample resource = Samples.node("node1").instanceId("i-1").preAllocate(8);
  private int kept;
  private int emptied;
  private Optional<Blocked> blocked = Optional.empty();
  private boolean fillsInterface = true;
  private int room = 100;
  private int slots;
  private int blockSize = 1;
  private InterfaceId givesBackFrom = KEPT;
  private AddressSet givesBack = AddressSet.of();
  private List<Cidr> givesBackBlocks = List.of();
  private Set<Cidr> dropped = Set.of();
  private Optional<Blocked> noReplacement = Optional.empty();
  private boolean staticAddressAllowed = true;
  private OptionalInt instanceCeiling = OptionalInt.empty();
  private UnaryOperator<Set<Cidr>> spare = UnaryOperator.identity();

  private final NodeOperations operations =
      new UnaskedOperations() {
        @Override
        public AllocationAction prepareIpAllocation() {
          return blocked.isPresent()
              ? AllocationAction.blocked(blocked.get(), slots)
              : new AllocationAction(
                  fillsInterface ? Optional.of(KEPT) : Optional.empty(),
                  Optional.empty(),
                  slots,
                  new AddressPlan(room, 0, OptionalInt.empty(), blockSize, 1),
                  0,
                  List.of(ScriptedProvider.ALLOCATE),
                  Optional.empty());
        }

        @Override
        public ReleaseAction prepareIpRelease(int excess, AddressSet used) {
          excessAsked.add(excess);
          return givenBack();
        }

        @Override
        public List<ReleaseAction> prepareCidrRelease(Set<Cidr> cidrs) {
          return givesBackBlocks.isEmpty() ? List.of() : List.of(givenBack());
        }
      };

  private ReleaseAction givenBack() {
    return new ReleaseAction(
        Optional.of(givesBackFrom),
        Optional.empty(),
        givesBack,
        givesBackBlocks,
        ScriptedProvider.RELEASE);
  }

  private NodeSnapshot snapshot() {
    AttachedInterface full = new AttachedInterface(KEPT, KEPT_RANGE.first(kept), List.of());
    AttachedInterface old =
        new AttachedInterface(EMPTIED, EMPTIED_RANGE.first(emptied), List.of()).drained();
    return NodeSnapshot.of(
        config,
        ResourceFacts.of(resource.build()),
        new Inventory.Known(
            1,
            emptied > 0 ? List.of(full, old) : List.of(full),
            new InterfaceStatistics(100, 2, 1, slots, 0, Optional.empty())),
        instanceCeiling,
        Optional.empty(),
        false,
        OptionalInt.empty(),
        OptionalInt.empty(),
        false);
  }

  private MaintenancePlanner planner() {
    return new MaintenancePlanner(operations, capabilities);
  }

  private MaintenancePlan plan() {
    excessAsked.clear();
    return planner().plan(snapshot(), dropped, spare, staticAddressAllowed, noReplacement);
  }

  private void set(String key, String value) {
    int number = value.matches("\\d+") ? Integer.parseInt(value) : 0;
    switch (key) {
      case "kept" -> kept = number;
      case "emptied" -> emptied = number;
      case "p" -> resource.preAllocate(number);
      case "M" -> resource.maxAllocate(number);
      case "u" -> resource.used(number);
      case "demand" -> resource.requested(8, number);
      case "static" -> resource.staticIpTag("pool", value);
      case "instance" -> instanceCeiling = OptionalInt.of(number);
      case "room" -> room = number;
      case "elsewhere" -> fillsInterface = false;
      case "slots" -> slots = number;
      case "size" -> blockSize = number;
      case "gives" -> givesBack = KEPT_RANGE.last(number);
      case "givesOld" -> {
        givesBackFrom = EMPTIED;
        givesBack = EMPTIED_RANGE.first(number);
      }
      case "block" -> givesBackBlocks = List.of(BLOCK);
      case "drops" -> dropped = Set.of(BLOCK);
      case "lacks" -> capabilities.remove(Capability.valueOf(value));
      case "config" -> config = EngineConfig.of(Map.of("ipam-profile", value));
      case "reference" ->
          config = EngineConfig.of(Map.of("ipam-profile", value, "release-excess-ips", "true"));
      case "full" -> blocked = Optional.of(new Blocked(BlockedReason.SUBNET_EXHAUSTED, value));
      case "paused" -> noReplacement = Optional.of(new Blocked(BlockedReason.BACKING_OFF, value));
      case "noStatic" -> staticAddressAllowed = false;
      default -> throw new IllegalArgumentException(key);
    }
  }

  private static String why(Blocked why) {
    return why.reason().name() + ": " + why.detail();
  }

  private String text(MaintenancePlan plan) {
    String asked = excessAsked.isEmpty() ? "" : " for " + excessAsked;
    if (plan instanceof MaintenancePlan.Allocate allocate) {
      return "allocate "
          + plan.asksFor()
          + (allocate.action().ipv6Prefixes() == 1 ? " and v6" : "");
    } else if (plan instanceof MaintenancePlan.CreateInterface) {
      return "create " + plan.asksFor();
    } else if (plan instanceof MaintenancePlan.Stuck stuck) {
      return "stuck " + why(stuck.blocked());
    } else if (plan instanceof MaintenancePlan.DrainWaits waits) {
      return "waits " + why(waits.why());
    } else if (plan instanceof MaintenancePlan.Release release) {
      ReleaseAction action = release.candidates();
      assertThat(release.releasable()).isEmpty();
      return "release "
          + action.addresses().size()
          + action.blocks()
          + " of "
          + action.onInterface().orElseThrow().text()
          + asked;
    }
    return plan.getClass().getSimpleName() + (plan instanceof MaintenancePlan.Idle ? asked : "");
  }

  @DisplayName(
      "N8 addresses come, go or wait: where there is room, down to the marks, for a reason")
  @ParameterizedTest(name = "{0}: {1}: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          room on an interface | room=1 | allocate 8
          no room and no slot \
            | room=0 \
            | stuck OUT_OF_INTERFACES: 8 addresses missing, no room on 2 interfaces and 0 empty slots
          no room and a slot | room=0 slots=1 | create 8
          room and a slot | room=1 slots=1 | allocate 8
          no interface that can be filled | elsewhere=1 room=9 slots=1 | create 8
          nor may one be created \
            | elsewhere=1 room=9 slots=1 lacks=NEW_INTERFACE \
            | stuck OUT_OF_INTERFACES: 8 addresses missing, no room on 2 interfaces and 1 empty slots
          nor is there a slot \
            | elsewhere=1 room=9 \
            | stuck OUT_OF_INTERFACES: 8 addresses missing, no room on 2 interfaces and 0 empty slots
          what the provider says comes first | full=subnet-1 | stuck SUBNET_EXHAUSTED: subnet-1
          an IPv6 prefix alone needs no room for IPv4 | kept=8 demand=1 room=0 | allocate 0 and v6
          an IPv6 prefix alone | kept=8 demand=1 room=5 | allocate 0 and v6
          no IPv6 prefix is wanted | kept=8 room=0 | Idle
          an IPv6 prefix beside a deficit without room \
            | demand=1 room=0 \
            | stuck OUT_OF_INTERFACES: 8 addresses missing, no room on 2 interfaces and 0 empty slots
          an IPv6 prefix needs no block | demand=1 kept=8 size=16 lacks=SINGLE_ADDRESSES | allocate 0 and v6
          an IPv6 prefix beside a drain that waits | demand=1 u=1 emptied=9 room=0 | allocate 0 and v6
          only blocks, none fits under the ceiling \
            | M=15 size=16 lacks=SINGLE_ADDRESSES \
            | stuck MAX_ALLOCATE: 8 addresses missing, room for 15 under the ceiling, and the cloud gives them in blocks of 16
          only blocks, one fits | M=16 size=16 lacks=SINGLE_ADDRESSES | allocate 8
          singles in place of a block | M=15 size=16 | allocate 8
          no blocks at all | M=15 lacks=SINGLE_ADDRESSES | allocate 8
          nothing is surplus | kept=8 gives=3 | Idle
          surplus | kept=9 gives=1 | release 1[] of kept for [1]
          surplus that the provider keeps | kept=9 gives=0 | Idle for [1]
          surplus where nothing is released | kept=12 gives=4 config=tidemark | Idle
          surplus that cannot be released | kept=12 gives=4 lacks=RELEASE | Idle
          N8 blocks are surplus | kept=40 block=1 | release 0[10.0.3.0/28] of kept for [32]
          N8 not for the reference | kept=40 block=1 reference=reference | Idle for [32]
          N8 which gives singles alone | kept=40 block=1 gives=2 reference=reference | release 2[] of kept for [32]
          what a multi-pool agent dropped goes first | kept=30 demand=0 block=1 drops=1 | ReleaseCidrs
          nothing is dropped | kept=30 demand=0 block=1 | Idle
          the provider keeps what is dropped | kept=30 demand=0 drops=1 | Idle
          CIDRs cannot be released | kept=30 demand=0 block=1 drops=1 lacks=CIDR_RELEASE | Idle
          what leaves with an interface goes before other surplus \
            | kept=12 emptied=3 givesOld=3 \
            | release 3[] of emptied for [3]
          then the rest | kept=12 emptied=3 gives=4 | release 4[] of kept for [3, 4]
          there is no other surplus | kept=8 emptied=3 gives=4 | Idle for [3]
          others come in the place of those that leave | emptied=8 | allocate 8
          not without room \
            | emptied=8 room=0 \
            | waits OUT_OF_INTERFACES: 8 addresses to be replaced, no room on 2 interfaces and 0 empty slots
          not after a failure | emptied=8 paused=now | waits BACKING_OFF: now
          not at max-allocate | emptied=8 M=8 | waits MAX_ALLOCATE: 8 addresses are all that the ceiling allows
          not at the ceiling of the instance \
            | emptied=8 instance=8 \
            | waits OUT_OF_INTERFACES: 8 addresses are all that the ceiling allows
          what is missing and to be replaced is asked for together | emptied=4 | allocate 8
          and is missing together \
            | emptied=4 room=0 \
            | stuck OUT_OF_INTERFACES: 8 addresses missing, no room on 2 interfaces and 0 empty slots
          the public address comes last | kept=8 static=blue | AssignStaticAddress
          not while it pauses | kept=8 static=blue noStatic=1 | Idle
          not where there is none | kept=8 static=blue lacks=STATIC_ADDRESS | Idle
          not before the others | static=blue | allocate 8
          """)
  void plans(String what, String settings, String expected) {
    for (String each : settings.split(" ", -1)) {
      set(each.replaceAll("=.*", ""), each.replaceAll(".*=", ""));
    }
    assertThat(text(plan())).as(what).isEqualTo(expected);
  }

  @Test
  @DisplayName("NM-C5 what goes is chosen among the CIDRs that the provider can release")
  void choosesAmongReleasable() {
    Cidr going = Cidr.parse("10.0.3.16/28");
    resource.requested(8, 0);
    kept = 30;
    givesBackBlocks = List.of(BLOCK, going);
    dropped = Set.of(Cidr.parse("10.0.1.0/28"), BLOCK, going);
    List<Set<Cidr>> chosenFrom = new ArrayList<>();
    spare =
        releasable -> {
          chosenFrom.add(releasable);
          return Set.of(going);
        };
    MaintenancePlan plan = plan();
    assertThat(chosenFrom).containsExactly(Set.of(BLOCK, going));
    assertThat(((MaintenancePlan.ReleaseCidrs) plan).actions().get(0).blocks())
        .containsExactly(going);
    spare = releasable -> Set.of();
    assertThat(plan()).isEqualTo(new MaintenancePlan.Idle());
  }

  @Test
  @DisplayName("what stays on its way out beside a plan leaves only where nothing is missing")
  void leavingBeside() {
    kept = 4;
    emptied = 10;
    set("givesOld", "6");
    MaintenancePlan plan = plan();
    assertThat(plan).isInstanceOf(MaintenancePlan.Allocate.class);
    assertThat(planner().leavingBeside(plan, snapshot())).isPresent();
    assertThat(planner().leavingBeside(new MaintenancePlan.Idle(), snapshot())).isEmpty();
    resource.preAllocate(20);
    assertThat(planner().leavingBeside(plan(), snapshot())).isEmpty();
  }
}
