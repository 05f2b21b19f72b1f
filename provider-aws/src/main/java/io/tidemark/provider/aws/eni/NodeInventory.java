package io.tidemark.provider.aws.eni;

import io.tidemark.provider.aws.ec2.InstanceType;
import io.tidemark.provider.kit.InstanceView;
import io.tidemark.resource.EniSpec;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceStatistics;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeSettings;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What core sees of one instance, computed anew only when something it rests on changed. Any
 * thread.
 */
final class NodeInventory {
  private final EniAccount account;
  private final NodeSettings settings;
  private final InstanceId instance;
  private volatile EniSpec spec = EniSpec.EMPTY;
  private volatile Computed computed = Computed.NONE;
  private volatile Slots slots = Slots.NONE;

  /** The last inventory with what it was computed from. */
  private record Computed(
      @Nullable InstanceView<Eni> view,
      @Nullable EniSlots model,
      @Nullable Networks networks,
      Inventory inventory) {
    static final Computed NONE =
        new Computed(null, null, null, new Inventory.InstanceMissing(false));
  }

  /** The model with what it was computed from. */
  private record Slots(
      @Nullable EniSpec spec,
      @Nullable InstanceType type,
      OptionalInt learned,
      Optional<EniSlots> model) {
    static final Slots NONE = new Slots(null, null, OptionalInt.empty(), Optional.empty());
  }

  NodeInventory(EniAccount account, NodeSettings settings, InstanceId instance) {
    this.account = account;
    this.settings = settings;
    this.instance = instance;
  }

  void updated(EniSpec now) {
    spec = now;
  }

  /** As {@link io.tidemark.spi.NodeOperations#inventory}. */
  @SuppressWarnings("ReferenceEquality")
  Inventory inventory() {
    Optional<InstanceView<Eni>> view = account.inventory.find(instance);
    if (view.isEmpty()) {
      return new Inventory.InstanceMissing(
          account.inventory.knownAbsent(instance), account.elsewhere(instance));
    }
    Optional<EniSlots> model = slots();
    if (model.isEmpty()) {
      return new Inventory.LimitsUnknown(spec.instanceType());
    }
    Computed last = computed;
    Networks networks = account.settings.options().retireSubnets() ? account.networks() : null;
    if (!view.get().equals(last.view())
        || !model.get().equals(last.model())
        || networks != last.networks()) {
      Inventory now = compute(view.get(), model.get(), networks);
      Inventory same = now.equals(last.inventory()) ? last.inventory() : now;
      last = new Computed(view.get(), model.get(), networks, same);
      computed = last;
    }
    return last.inventory();
  }

  /** The places of the instance; empty while the limits of its type are not known. */
  @SuppressWarnings("ReferenceEquality")
  Optional<EniSlots> slots() {
    EniSpec now = spec;
    InstanceType type = account.limits.find(now.instanceType()).orElse(null);
    OptionalInt learned =
        account
            .inventory
            .find(instance)
            .map(view -> account.learned.of(instance, view.interfaces()))
            .orElse(OptionalInt.empty());
    Slots last = slots;
    if (last.spec() != now || last.type() != type || !last.learned().equals(learned)) {
      Optional<EniSlots> model =
          type == null
              ? Optional.empty()
              : Optional.of(EniSlots.of(type, now, settings, account.settings, learned));
      last = new Slots(now, type, learned, model);
      slots = last;
    }
    return last.model();
  }

  private Inventory compute(InstanceView<Eni> view, EniSlots model, @Nullable Networks networks) {
    List<Eni> enis = view.interfaces();
    Predicate<Eni> retired =
        networks == null ? eni -> false : Retirement.of(account.owner, model, enis, networks);
    List<AttachedInterface> usable =
        enis.stream()
            .filter(model::usable)
            .map(
                eni ->
                    retired.test(eni) && Retirement.drains(model, eni)
                        ? model.podAddresses(eni).drained()
                        : model.podAddresses(eni))
            .toList();
    int withRoom =
        (int) enis.stream().filter(eni -> model.hasRoom(eni) && !retired.test(eni)).count();
    return new Inventory.Known(
        view.generation(),
        usable,
        new InterfaceStatistics(
            model.capacity(enis, retired),
            enis.size(),
            withRoom,
            model.emptySlots(enis),
            enis.stream().mapToInt(eni -> eni.ipv6Prefixes().size()).sum(),
            Eni.primaryOf(enis).flatMap(Eni::publicAddress)));
  }
}
