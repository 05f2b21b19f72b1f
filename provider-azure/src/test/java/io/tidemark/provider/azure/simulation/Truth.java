package io.tidemark.provider.azure.simulation;

import io.tidemark.emulator.arm.model.ArmInventory;
import io.tidemark.emulator.arm.network.ArmNic;
import io.tidemark.emulator.arm.network.Assigned;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.simulation.cloud.CloudChange;
import io.tidemark.simulation.cloud.CloudChange.Kind;
import io.tidemark.simulation.cloud.CloudInterface;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The interfaces as they really are, and how they came to be so. A new configuration counts from
 * the end of the operation that makes it; what is there stays there while an operation goes on or
 * after one has failed.
 */
final class Truth {
  private final ArmWorld world;
  private final Map<String, Shown> interfaces = new HashMap<>();
  private final Map<String, List<CloudInterface>> attached = new HashMap<>();
  private final Map<String, AddressSet> pinned = new HashMap<>();
  private List<CloudChange> changes = new ArrayList<>();

  /**
   * An interface as Azure has it and as it is shown.
   *
   * @param index of its machine's interfaces, 0 for the first
   */
  private record Shown(ArmNic.State model, int index, CloudInterface shown, Set<String> names) {}

  Truth(ArmWorld world) {
    this.world = world;
  }

  Optional<CloudInterface> find(String id) {
    return Optional.ofNullable(interfaces.get(key(id))).map(Shown::shown);
  }

  /** In order of attachment; the same list until one of them changes. */
  List<CloudInterface> attachedTo(String machine) {
    return attached.getOrDefault(machine, List.of());
  }

  /** Addresses that the interface began with. */
  AddressSet pinned(String id) {
    return pinned.getOrDefault(key(id), AddressSet.of());
  }

  List<CloudChange> drain() {
    if (changes.isEmpty()) {
      return List.of();
    }
    List<CloudChange> drained = changes;
    changes = new ArrayList<>();
    return drained;
  }

  private static String key(String id) {
    return id.toLowerCase(Locale.ROOT);
  }

  /** A machine was launched. */
  void begin(ArmWorld.Launched machine) {
    look(machine.key());
    for (CloudInterface each : attachedTo(machine.key())) {
      pinned.put(key(each.id()), each.singles());
    }
    changes.add(new CloudChange(Kind.INSTANCE_CHANGED, machine.key(), "", AddressSet.of()));
  }

  /** The machine may have another power state. */
  void changed(String machine) {
    changes.add(new CloudChange(Kind.INSTANCE_CHANGED, machine, "", AddressSet.of()));
  }

  /** The interfaces of a machine, or the machine itself, may have changed. */
  void look(String machine) {
    Optional<ArmInventory.SeenMachine> now = world.inventory().machine(machine);
    if (now.isEmpty()) {
      List<CloudInterface> gone = attachedTo(machine);
      attached.remove(machine);
      for (CloudInterface each : gone) {
        interfaces.remove(key(each.id()));
        add(Kind.INTERFACE_DELETED, each, all(each));
      }
      return;
    }
    Set<String> theirs = world.launched(machine).orElseThrow().theirs();
    int index = 0;
    for (ArmNic each : now.get().interfaces()) {
      if (theirs.contains(each.id().text())) {
        lookAtTheirs(machine, each);
      } else {
        look(machine, each, index++);
      }
    }
  }

  /** Not shown among the machine's interfaces; only its owner may change it. */
  private void lookAtTheirs(String machine, ArmNic nic) {
    Shown before = interfaces.get(key(nic.id().text()));
    Shown now = shown(machine, nic, -1, before);
    interfaces.put(key(nic.id().text()), now);
    if (before != null && !before.names().equals(now.names())) {
      add(Kind.ATTRIBUTE_CHANGED, now.shown(), AddressSet.of());
    }
  }

  private void look(String machine, ArmNic nic, int index) {
    String key = key(nic.id().text());
    Shown before = interfaces.get(key);
    if (before != null && isSame(before.model(), nic.state())) {
      return;
    }
    Shown now = shown(machine, nic, index, before);
    if (before == null) {
      interfaces.put(key, now);
      refresh(machine);
      add(Kind.INTERFACE_ATTACHED, now.shown(), all(now.shown()));
      return;
    }
    if (before.shown().equals(now.shown())) {
      interfaces.put(key, new Shown(now.model(), index, before.shown(), now.names()));
      return;
    }
    interfaces.put(key, now);
    refresh(machine);
    compare(before.shown(), now.shown());
  }

  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(ArmNic.State before, ArmNic.State now) {
    return before == now;
  }

  private void compare(CloudInterface before, CloudInterface now) {
    AddressSet gone = all(before).minus(all(now));
    AddressSet came = all(now).minus(all(before));
    if (!gone.isEmpty()) {
      add(Kind.ADDRESSES_REMOVED, now, gone);
    }
    if (!came.isEmpty()) {
      add(Kind.ADDRESSES_ADDED, now, came);
    }
  }

  private void add(Kind kind, CloudInterface of, AddressSet addresses) {
    changes.add(new CloudChange(kind, of.instanceId(), of.id(), addresses));
  }

  private void refresh(String machine) {
    List<CloudInterface> now = new ArrayList<>();
    Set<String> theirs = world.launched(machine).orElseThrow().theirs();
    for (ArmNic each : world.inventory().machine(machine).orElseThrow().interfaces()) {
      if (!theirs.contains(each.id().text())) {
        find(each.id().text()).ifPresent(now::add);
      }
    }
    attached.put(machine, List.copyOf(now));
  }

  private Shown shown(String machine, ArmNic nic, int index, @Nullable Shown before) {
    AddressSet.Builder singles = AddressSet.builder();
    List<Cidr> blocks = new ArrayList<>();
    Set<String> names = new HashSet<>();
    Optional<IpAddress> primary = Optional.empty();
    for (Assigned each : nic.state().configurations()) {
      boolean known = before != null && before.names().contains(each.name());
      if (each.range().isEmpty() || !(known || each.state().equals("Succeeded"))) {
        continue;
      }
      names.add(each.name());
      Cidr range = each.range().get();
      if (each.primary()) {
        primary = Optional.of(range.first());
      } else if (range.isSingle()) {
        singles.add(range.first());
      } else {
        blocks.add(range);
      }
    }
    CloudInterface shown =
        new CloudInterface(
            nic.id().text(),
            subnet(nic),
            machine,
            index,
            true,
            primary.orElseThrow(),
            singles.build(),
            blocks,
            Map.of());
    return new Shown(nic.state(), index, shown, names);
  }

  private static String subnet(ArmNic nic) {
    return nic.state().configurations().get(0).wish().subnet().orElseThrow().name();
  }

  private static AddressSet all(CloudInterface of) {
    AddressSet.Builder all = AddressSet.builder();
    all.add(of.primary());
    all.addAll(of.singles());
    for (Cidr block : of.blocks()) {
      all.addAll(AddressSet.ofRange(block));
    }
    return all.build();
  }
}
