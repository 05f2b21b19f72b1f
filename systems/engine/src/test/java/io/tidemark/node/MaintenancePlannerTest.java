package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resilience.CallKind;
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
import io.tidemark.spi.PoolId;
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

@DisplayName("What a pass does, from one snapshot and the provider's plans (node-manager 3.7, 3.8)")
class MaintenancePlannerTest {
  private static final InterfaceId KEPT = new InterfaceId("eni-kept");
  private static final InterfaceId EMPTIED = new InterfaceId("eni-emptied");
  private static final CallKind CALL = new CallKind("call", CallKind.Effect.REPEATABLE);
  private static final AddressSet KEPT_RANGE = AddressSet.ofRange(Cidr.parse("10.0.1.0/24"));
  private static final AddressSet EMPTIED_RANGE = AddressSet.ofRange(Cidr.parse("10.0.2.0/24"));

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
  private Optional<Blocked> noReplacement = Optional.empty();
  private boolean staticAddressAllowed = true;
  private OptionalInt instanceCeiling = OptionalInt.empty();
  private UnaryOperator<Set<Cidr>> spare = UnaryOperator.identity();

  private final NodeOperations operations =
      new UnaskedOperations() {
        @Override
        public AllocationAction prepareIpAllocation() {
          return allocation();
        }

        @Override
        public ReleaseAction prepareIpRelease(int excess, AddressSet used) {
          return givenBack(excess);
        }

        @Override
        public List<ReleaseAction> prepareCidrRelease(Set<Cidr> cidrs) {
          return droppedCidrs();
        }
      };

  private AllocationAction allocation() {
    return blocked.isPresent()
        ? AllocationAction.blocked(blocked.get(), slots)
        : new AllocationAction(
            fillsInterface ? Optional.of(KEPT) : Optional.empty(),
            Optional.of(new PoolId("subnet-1")),
            slots,
            new AddressPlan(room, 0, OptionalInt.empty(), blockSize, 1),
            0,
            List.of(CALL),
            Optional.empty());
  }

  private ReleaseAction givenBack(int excess) {
    excessAsked.add(excess);
    return new ReleaseAction(
        Optional.of(givesBackFrom), Optional.empty(), givesBack, givesBackBlocks, CALL);
  }

  private List<ReleaseAction> droppedCidrs() {
    return givesBackBlocks.isEmpty() ? List.of() : List.of(givenBack(0));
  }

  private NodeSnapshot snapshot() {
    List<AttachedInterface> attached = new ArrayList<>();
    attached.add(new AttachedInterface(KEPT, KEPT_RANGE.first(kept), List.of()));
    if (emptied > 0) {
      attached.add(
          new AttachedInterface(EMPTIED, EMPTIED_RANGE.first(emptied), List.of()).drained());
    }
    return NodeSnapshot.of(
        config,
        ResourceFacts.of(resource.build()),
        new Inventory.Known(
            1, attached, new InterfaceStatistics(100, 2, 1, slots, 0, Optional.empty())),
        instanceCeiling,
        false,
        OptionalInt.empty(),
        OptionalInt.empty(),
        false);
  }

  private MaintenancePlanner planner() {
    return new MaintenancePlanner(operations, capabilities);
  }

  private MaintenancePlan plan(Cidr... dropped) {
    return planner().plan(snapshot(), Set.of(dropped), spare, staticAddressAllowed, noReplacement);
  }

  private static Blocked why(MaintenancePlan plan) {
    return plan instanceof MaintenancePlan.DrainWaits waits
        ? waits.why()
        : ((MaintenancePlan.Stuck) plan).blocked();
  }

  @DisplayName("addresses come on an interface with room, else on a new one, else not at all")
  @ParameterizedTest(name = "on an interface {0} with room for {1}, {2} slots, may create {3}: {4}")
  @CsvSource({
    "true,  1, 0, true,  Allocate",
    "true,  0, 0, true,  Stuck",
    "true,  0, 1, true,  CreateInterface",
    "true,  1, 1, true,  Allocate",
    "false, 9, 1, true,  CreateInterface",
    "false, 9, 1, false, Stuck",
    "false, 9, 0, true,  Stuck",
  })
  void where(boolean onInterface, int fits, int empty, boolean creates, String expected) {
    fillsInterface = onInterface;
    room = fits;
    slots = empty;
    if (!creates) {
      capabilities.remove(Capability.NEW_INTERFACE);
    }
    MaintenancePlan plan = plan();
    assertThat(plan.getClass().getSimpleName()).isEqualTo(expected);
    if (plan instanceof MaintenancePlan.Stuck) {
      assertThat(why(plan))
          .isEqualTo(
              new Blocked(
                  BlockedReason.OUT_OF_INTERFACES,
                  "8 addresses missing, no room on 2 interfaces and " + empty + " empty slots"));
    } else {
      assertThat(plan.asksFor()).isEqualTo(8);
    }
  }

  @Test
  @DisplayName("what the provider says comes first")
  void blockedByProvider() {
    blocked = Optional.of(new Blocked(BlockedReason.SUBNET_EXHAUSTED, "subnet-1 has none"));
    assertThat(why(plan())).isEqualTo(blocked.get());
  }

  @DisplayName("an IPv6 prefix alone needs an interface that can be filled, not room for IPv4")
  @ParameterizedTest(name = "IPv6 asked {0}, room {1}: {2}")
  @CsvSource({"true, 0, Allocate", "true, 5, Allocate", "false, 0, Idle"})
  void prefixAlone(boolean ipv6, int fits, String expected) {
    kept = 8;
    room = fits;
    if (ipv6) {
      resource.requested(8, 1).preAllocate(8);
    }
    MaintenancePlan plan = plan();
    assertThat(plan.getClass().getSimpleName()).isEqualTo(expected);
    assertThat(plan.asksFor()).isZero();
    if (plan instanceof MaintenancePlan.Allocate allocate) {
      assertThat(allocate.action().ipv6Prefixes()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("an IPv6 prefix finds no place where IPv4 addresses are missing and find none")
  void prefixBesideDeficit() {
    resource.requested(8, 1);
    room = 0;
    assertThat(plan()).isInstanceOf(MaintenancePlan.Stuck.class);
  }

  @DisplayName("where only blocks are given, a ceiling below one block leaves nothing to ask for")
  @ParameterizedTest(name = "ceiling {0}, blocks of {1}, singles {2}: {3}")
  @CsvSource({
    "15, 16, false, Stuck",
    "16, 16, false, Allocate",
    "15, 16, true,  Allocate",
    "15,  1, false, Allocate",
  })
  void onlyBlocks(int ceiling, int size, boolean singles, String expected) {
    resource.maxAllocate(ceiling);
    blockSize = size;
    if (!singles) {
      capabilities.remove(Capability.SINGLE_ADDRESSES);
    }
    MaintenancePlan plan = plan();
    assertThat(plan.getClass().getSimpleName()).isEqualTo(expected);
    if (plan instanceof MaintenancePlan.Stuck) {
      assertThat(why(plan))
          .isEqualTo(
              new Blocked(
                  BlockedReason.MAX_ALLOCATE,
                  "8 addresses missing, room for 15 under the ceiling, and the cloud gives them in"
                      + " blocks of 16"));
    }
  }

  @DisplayName("surplus is given back as far as the provider can, and only where that is allowed")
  @ParameterizedTest(name = "{0} attached, provider gives {1}, enabled {2}, capable {3}: {4}")
  @CsvSource({
    " 8, 3, true,  true,  Idle",
    " 9, 1, true,  true,  Release",
    " 9, 0, true,  true,  Idle",
    "12, 4, false, true,  Idle",
    "12, 4, true,  false, Idle",
  })
  void surplus(int attached, int gives, boolean enabled, boolean capable, String expected) {
    kept = attached;
    givesBack = KEPT_RANGE.last(gives);
    if (!enabled) {
      config = EngineConfig.defaults();
    }
    if (!capable) {
      capabilities.remove(Capability.RELEASE);
    }
    MaintenancePlan plan = plan();
    assertThat(plan.getClass().getSimpleName()).isEqualTo(expected);
    if (plan instanceof MaintenancePlan.Release release) {
      assertThat(release.releasable()).isEmpty();
      assertThat(release.candidates().addresses()).isEqualTo(givesBack);
      assertThat(excessAsked).containsExactly(attached - 8);
    }
  }

  @Test
  @DisplayName("N8 the reference gives no block back")
  void referenceKeepsBlocks() {
    kept = 40;
    givesBackBlocks = List.of(Cidr.parse("10.0.3.0/28"));
    assertThat(plan()).isInstanceOf(MaintenancePlan.Release.class);
    config = EngineConfig.of(Map.of("ipam-profile", "reference", "release-excess-ips", "true"));
    assertThat(plan()).isEqualTo(new MaintenancePlan.Idle());
    givesBack = KEPT_RANGE.last(2);
    MaintenancePlan.Release release = (MaintenancePlan.Release) plan();
    assertThat(release.candidates().blocks()).isEmpty();
    assertThat(release.candidates().addresses()).isEqualTo(givesBack);
  }

  @DisplayName("what a multi-pool agent dropped goes before anything else")
  @ParameterizedTest(name = "dropped {0}, provider can {1}, capable {2}: {3}")
  @CsvSource({
    "true,  true,  true,  ReleaseCidrs",
    "false, true,  true,  Idle",
    "true,  false, true,  Idle",
    "true,  true,  false, Idle",
  })
  void dropped(boolean dropped, boolean can, boolean capable, String expected) {
    resource.requested(8, 0);
    kept = 30;
    givesBackBlocks = can ? List.of(Cidr.parse("10.0.3.0/28")) : List.of();
    if (!capable) {
      capabilities.remove(Capability.CIDR_RELEASE);
    }
    MaintenancePlan plan = dropped ? plan(Cidr.parse("10.0.3.0/28")) : plan();
    assertThat(plan.getClass().getSimpleName()).isEqualTo(expected);
  }

  @Test
  @DisplayName("NM-C5 what goes is chosen among the CIDRs that the provider can release")
  void choosesAmongReleasable() {
    Cidr pinned = Cidr.parse("10.0.1.0/28");
    Cidr other = Cidr.parse("10.0.3.0/28");
    Cidr going = Cidr.parse("10.0.3.16/28");
    resource.requested(8, 0);
    kept = 30;
    givesBackBlocks = List.of(other, going);
    List<Set<Cidr>> chosenFrom = new ArrayList<>();
    spare =
        releasable -> {
          chosenFrom.add(releasable);
          return Set.of(going);
        };
    MaintenancePlan plan = plan(pinned, other, going);
    assertThat(chosenFrom).containsExactly(Set.of(other, going));
    assertThat(((MaintenancePlan.ReleaseCidrs) plan).actions().get(0).blocks())
        .containsExactly(going);
    spare = releasable -> Set.of();
    assertThat(plan(pinned, other, going)).isEqualTo(new MaintenancePlan.Idle());
  }

  @Test
  @DisplayName("what leaves with an interface is planned apart from other surplus")
  void leavingAndSurplus() {
    kept = 12;
    emptied = 3;
    givesBackFrom = EMPTIED;
    givesBack = EMPTIED_RANGE.first(3);
    MaintenancePlan.Release release = (MaintenancePlan.Release) plan();
    assertThat(release.candidates().onInterface()).contains(EMPTIED);
    assertThat(excessAsked).as("what leaves").containsExactly(3);
    excessAsked.clear();
    givesBackFrom = KEPT;
    givesBack = KEPT_RANGE.last(4);
    release = (MaintenancePlan.Release) plan();
    assertThat(release.candidates().onInterface()).contains(KEPT);
    assertThat(excessAsked).as("what leaves, then the rest").containsExactly(3, 4);
    excessAsked.clear();
    kept = 8;
    assertThat(plan()).as("no other surplus").isEqualTo(new MaintenancePlan.Idle());
    assertThat(excessAsked).containsExactly(3);
  }

  @Test
  @DisplayName("others come in the place of those that leave, or it is said why they do not")
  void replacement() {
    emptied = 8;
    assertThat(plan().asksFor()).isEqualTo(8);
    room = 0;
    assertThat(plan()).isInstanceOf(MaintenancePlan.DrainWaits.class);
    assertThat(why(plan()).detail())
        .isEqualTo("8 addresses to be replaced, no room on 2 interfaces and 0 empty slots");
    noReplacement = Optional.of(new Blocked(BlockedReason.BACKING_OFF, "a moment ago"));
    assertThat(plan()).isEqualTo(new MaintenancePlan.DrainWaits(noReplacement.get()));
    noReplacement = Optional.empty();
    resource.maxAllocate(8);
    assertThat(why(plan()))
        .isEqualTo(
            new Blocked(BlockedReason.MAX_ALLOCATE, "8 addresses are all that the ceiling allows"));
  }

  @Test
  @DisplayName("the instance's own ceiling asks for another advice than max-allocate")
  void belowInstanceCeiling() {
    emptied = 8;
    instanceCeiling = OptionalInt.of(8);
    assertThat(why(plan()).reason()).isEqualTo(BlockedReason.OUT_OF_INTERFACES);
  }

  @Test
  @DisplayName("what is missing and what is to be replaced are asked for together")
  void missingAndReplaced() {
    emptied = 4;
    assertThat(plan().asksFor()).isEqualTo(8);
    room = 0;
    assertThat(why(plan()).detail()).startsWith("8 addresses missing, ");
  }

  @Test
  @DisplayName("an IPv6 prefix comes beside a drain that waits, without any IPv4 address")
  void prefixBesideDrain() {
    resource.requested(8, 1).used(1);
    emptied = 9;
    room = 0;
    MaintenancePlan plan = plan();
    assertThat(plan).isInstanceOf(MaintenancePlan.Allocate.class);
    assertThat(plan.asksFor()).isZero();
  }

  @Test
  @DisplayName("an IPv6 prefix needs no block of IPv4 addresses")
  void prefixWhereOnlyBlocksAreGiven() {
    resource.requested(8, 1);
    kept = 8;
    blockSize = 16;
    capabilities.remove(Capability.SINGLE_ADDRESSES);
    assertThat(plan()).isInstanceOf(MaintenancePlan.Allocate.class);
  }

  @Test
  @DisplayName("what stays on its way out beside a plan leaves only where nothing is missing")
  void leavingBeside() {
    kept = 4;
    emptied = 10;
    givesBackFrom = EMPTIED;
    givesBack = EMPTIED_RANGE.first(6);
    NodeSnapshot now = snapshot();
    MaintenancePlan plan = plan();
    assertThat(plan).isInstanceOf(MaintenancePlan.Allocate.class);
    assertThat(planner().leavingBeside(plan, now)).isPresent();
    assertThat(planner().leavingBeside(new MaintenancePlan.Idle(), now)).isEmpty();
    resource.preAllocate(20);
    assertThat(planner().leavingBeside(plan(), snapshot())).isEmpty();
  }

  @DisplayName("the public address is asked for last, once, and only where it may be")
  @ParameterizedTest(name = "asked {0}, allowed {1}, capable {2}, all there {3}: {4}")
  @CsvSource({
    "true,  true,  true,  true,  AssignStaticAddress",
    "false, true,  true,  true,  Idle",
    "true,  false, true,  true,  Idle",
    "true,  true,  false, true,  Idle",
    "true,  true,  true,  false, Allocate",
  })
  void publicAddress(
      boolean asked, boolean allowed, boolean capable, boolean full, String expected) {
    kept = full ? 8 : 0;
    staticAddressAllowed = allowed;
    if (asked) {
      resource.staticIpTag("pool", "blue");
    }
    if (!capable) {
      capabilities.remove(Capability.STATIC_ADDRESS);
    }
    assertThat(plan().getClass().getSimpleName()).isEqualTo(expected);
  }
}
