package io.tidemark.provider.mock;

import io.tidemark.provider.kit.InstanceView;
import io.tidemark.provider.mock.cloud.InstanceType;
import io.tidemark.provider.mock.cloud.InstanceTypes;
import io.tidemark.resource.EniSpec;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceStatistics;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeSettings;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What core sees of one instance, computed anew only when something it rests on changed. Any
 * thread.
 */
final class NodeInventory {
  private final MockAccount account;
  private final InstanceTypes types;
  private final NodeSettings settings;
  private final InstanceId instance;
  private volatile EniSpec spec = EniSpec.EMPTY;
  private volatile Computed computed = Computed.NONE;
  private volatile Slots slots = Slots.NONE;

  /** The last inventory with what it was computed from. */
  private record Computed(@Nullable InstanceView<Eni> view, EniSpec spec, Inventory inventory) {
    static final Computed NONE =
        new Computed(null, EniSpec.EMPTY, new Inventory.InstanceMissing(false));
  }

  /** The places with the section of the resource that they were computed from. */
  private record Slots(@Nullable EniSpec spec, Optional<MockSlots> model) {
    static final Slots NONE = new Slots(null, Optional.empty());
  }

  NodeInventory(
      MockAccount account, InstanceTypes types, NodeSettings settings, InstanceId instance) {
    this.account = account;
    this.types = types;
    this.settings = settings;
    this.instance = instance;
  }

  void updated(EniSpec now) {
    spec = now;
  }

  /** As {@link io.tidemark.spi.NodeOperations#inventory}. */
  Inventory inventory() {
    Optional<InstanceView<Eni>> view = account.inventory.find(instance);
    if (view.isEmpty()) {
      return new Inventory.InstanceMissing(account.inventory.knownAbsent(instance));
    }
    Computed last = computed;
    EniSpec now = spec;
    if (!view.get().equals(last.view()) || !now.equals(last.spec())) {
      last = new Computed(view.get(), now, compute(view.get()));
      computed = last;
    }
    return last.inventory();
  }

  private Inventory compute(InstanceView<Eni> view) {
    Optional<MockSlots> places = slots();
    if (places.isEmpty()) {
      return new Inventory.LimitsUnknown(spec.instanceType());
    }
    MockSlots model = places.get();
    List<Eni> enis = view.interfaces();
    List<AttachedInterface> usable =
        enis.stream().filter(model::usable).map(model::podAddresses).toList();
    int withRoom = (int) enis.stream().filter(eni -> model.hasRoom(eni)).count();
    return new Inventory.Known(
        view.generation(),
        usable,
        new InterfaceStatistics(
            model.capacity(enis, eni -> false),
            enis.size(),
            withRoom,
            model.emptySlots(enis),
            enis.stream().mapToInt(eni -> eni.ipv6().prefixes().size()).sum(),
            Eni.at(0, enis).flatMap(Eni::publicAddress)));
  }

  /** The places of the instance; empty while its type is unknown. */
  @SuppressWarnings("ReferenceEquality")
  Optional<MockSlots> slots() {
    EniSpec now = spec;
    Slots last = slots;
    if (last.spec() != now) {
      Optional<InstanceType> type = types.find(now.instanceType());
      last = new Slots(now, type.map(found -> MockSlots.of(found, now, settings)));
      slots = last;
    }
    return last.model();
  }
}
