package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.AddressDemand;
import io.tidemark.resource.IpamSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.UsedAddress;
import io.tidemark.spi.AddressPlan;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.Capability;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.InterfaceStatistics;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.contract.UnaskedOperations;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Two interfaces, one that shall be emptied and one that is filled, with the planner over them.
 * Executes each plan at once and whole, as if every agent agreed.
 */
final class DrainingNode extends UnaskedOperations {
  static final InterfaceId OLD = new InterfaceId("old");
  static final InterfaceId NEW = new InterfaceId("new");

  /** Addresses that still fit on the one that is filled. */
  int room = 500;

  /** Whether it is filled with blocks. */
  boolean blocks;

  /** Whether an IPv6 prefix is asked for, too. */
  boolean ipv6;

  private final EngineConfig config;
  private final IpamSpec spec;
  private final Map<InterfaceId, AttachedInterface> held = new TreeMap<>();
  private final MaintenancePlanner planner;
  private AddressSet used = AddressSet.of();
  private int taken;
  private int takenBlocks;
  private String last = "";

  DrainingNode(boolean release, int p, int m, int max, int w) {
    EngineConfig plain = EngineConfig.defaults();
    config = release ? plain.releasingAfter(Duration.ofMinutes(3)) : plain;
    spec = IpamSpec.of(p, m, max, w);
    planner = new MaintenancePlanner(this, Set.of(Capability.values()));
    held.put(OLD, new AttachedInterface(OLD, AddressSet.of(), List.of()).drained());
    held.put(NEW, new AttachedInterface(NEW, AddressSet.of(), List.of()));
  }

  /** So many more singles. */
  void hold(InterfaceId id, int count) {
    List<IpAddress> more = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      more.add(IpAddress.parse("10.0." + taken / 250 + "." + taken % 250));
      taken++;
    }
    add(id, AddressSet.copyOf(more), List.of());
  }

  /** So many more blocks. */
  void holdBlocks(InterfaceId id, int count) {
    List<Cidr> more = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      more.add(Cidr.parse("10.1." + takenBlocks / 16 + "." + takenBlocks % 16 * 16 + "/28"));
      takenBlocks++;
    }
    add(id, AddressSet.of(), more);
  }

  private void add(InterfaceId id, AddressSet singles, List<Cidr> more) {
    AttachedInterface now = of(id);
    List<Cidr> all = new ArrayList<>(now.blocks());
    all.addAll(more);
    held.put(id, new AttachedInterface(id, now.singles().plus(singles), all, now.draining()));
  }

  private AttachedInterface of(InterfaceId id) {
    return Objects.requireNonNull(held.get(id), id.text());
  }

  /** Pods hold the first {@code count} of one interface and nothing else. */
  void use(InterfaceId id, int count) {
    used = AttachedInterface.addressesOf(List.of(of(id))).first(count);
  }

  /** Pods hold some of everything, or else of what shall leave, where the others stay. */
  void useRandomly(Random random, boolean onOldAlone) {
    AddressSet leaving = AttachedInterface.addressesOf(List.of(of(OLD)));
    AddressSet staying = onOldAlone ? used.minus(leaving) : AddressSet.of();
    List<IpAddress> all = new ArrayList<>();
    leaving.forEach(all::add);
    if (!onOldAlone) {
      AttachedInterface.addressesOf(List.of(of(NEW))).forEach(all::add);
    }
    Collections.shuffle(all, random);
    used = AddressSet.copyOf(all.subList(0, random.nextInt(all.size() + 1))).plus(staying);
  }

  /** Whether all that pods hold is attached. */
  boolean holdsUsed() {
    return AttachedInterface.addressesOf(List.copyOf(held.values())).containsAll(used);
  }

  int size() {
    return held.values().stream().mapToInt(AttachedInterface::size).sum();
  }

  NodeSnapshot snapshot() {
    Map<IpAddress, UsedAddress> pods = new TreeMap<>();
    used.forEach(address -> pods.put(address, new UsedAddress("ns/pod", "")));
    IpamSpec asked =
        new IpamSpec(
            spec.preAllocate(),
            spec.minAllocate(),
            spec.maxAllocate(),
            spec.maxAboveWatermark(),
            Map.of(),
            ipv6 ? Optional.of(new AddressDemand(0, 1)) : Optional.empty(),
            Set.of());
    NodeResource resource =
        Samples.node("node1").instanceId("i-1").build().withIpam(asked).withUsed(pods);
    return NodeSnapshot.of(
        config,
        ResourceFacts.of(resource, ResourceFacts.AgentKind.SINGLE_ADDRESSES),
        inventory(),
        OptionalInt.empty(),
        Optional.empty(),
        blocks,
        OptionalInt.empty(),
        OptionalInt.empty(),
        false);
  }

  /** The plan of this moment; {@code refused} is why nothing may come in place of what leaves. */
  MaintenancePlan plan(Optional<Blocked> refused) {
    return planner.plan(snapshot(), Set.of(), UnaryOperator.identity(), false, refused);
  }

  /** Plans, does it, and says what it was. */
  String step() {
    last = done(plan(Optional.empty()));
    return last;
  }

  String last() {
    return last;
  }

  private String done(MaintenancePlan plan) {
    if (plan instanceof MaintenancePlan.Allocate allocate) {
      int before = of(NEW).size();
      fill(allocate.action().ipv4());
      room -= of(NEW).size() - before;
      return "allocate " + (of(NEW).size() - before);
    }
    if (plan instanceof MaintenancePlan.Release release) {
      ReleaseAction action = release.candidates();
      InterfaceId id = action.onInterface().orElseThrow();
      AttachedInterface now = of(id);
      List<Cidr> left = new ArrayList<>(now.blocks());
      left.removeAll(action.blocks());
      held.put(
          id,
          new AttachedInterface(id, now.singles().minus(action.addresses()), left, now.draining()));
      return "release " + action.allAddresses().size() + " of " + id.text();
    }
    if (plan instanceof MaintenancePlan.DrainWaits waits) {
      return "waits " + waits.why().reason();
    }
    if (plan instanceof MaintenancePlan.Stuck stuck) {
      return "stuck " + stuck.blocked().reason();
    }
    return plan instanceof MaintenancePlan.Idle ? "idle" : plan.toString();
  }

  private void fill(AddressPlan plan) {
    if (plan.blockSize() > 1 && plan.blocks() > 0) {
      holdBlocks(NEW, Math.min(plan.blocks(), Math.max(1, plan.roomOnInterface() / 16)));
    } else {
      hold(NEW, Math.min(plan.singles(), plan.roomOnInterface()));
    }
  }

  @Override
  public Inventory.Known inventory() {
    return new Inventory.Known(
        1,
        List.of(of(NEW), of(OLD)),
        new InterfaceStatistics(500, 2, room > 0 ? 1 : 0, 0, 0, Optional.empty()));
  }

  @Override
  public AllocationAction prepareIpAllocation() {
    return new AllocationAction(
        room > 0 ? Optional.of(NEW) : Optional.empty(),
        Optional.of(ScriptedProvider.GLOBAL),
        0,
        new AddressPlan(room, 0, OptionalInt.empty(), blocks && room >= 16 ? 16 : 1, 1),
        0,
        List.of(ScriptedProvider.ALLOCATE),
        Optional.empty());
  }

  @Override
  public ReleaseAction prepareIpRelease(int excess, AddressSet pods) {
    ReleaseAction first = surplus(of(OLD), excess, pods);
    return first.isEmpty() ? surplus(of(NEW), excess, pods) : first;
  }

  private static ReleaseAction surplus(AttachedInterface of, int excess, AddressSet pods) {
    int left = excess;
    List<Cidr> whole = new ArrayList<>();
    for (Cidr block : of.blocks()) {
      if (left >= 16 && !pods.containsAny(block)) {
        whole.add(block);
        left -= 16;
      }
    }
    AddressSet free = of.singles().minus(pods);
    return new ReleaseAction(
        Optional.of(of.id()),
        Optional.of(ScriptedProvider.GLOBAL),
        free.last(Math.min(left, free.size())),
        whole,
        ScriptedProvider.RELEASE);
  }

  @Override
  public boolean isPrefixDelegated() {
    return blocks;
  }

  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    for (InterfaceId id : List.of(OLD, NEW)) {
      if (of(id).size() > 0) {
        parts.add(id.text() + " " + of(id).size());
      }
    }
    return String.join(", ", parts);
  }
}
