package io.tidemark.emulator.arm.model;

import io.tidemark.emulator.arm.network.ArmNic;
import io.tidemark.emulator.arm.network.ArmSubnet;
import io.tidemark.emulator.arm.request.ArmId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The true state at one instant, for simulations: no request, never counted, never behind. Not
 * thread-safe; used until the next call of the model.
 */
public record ArmInventory(World world, Instant now) {
  /**
   * A machine.
   *
   * @param interfaces in the order of their attachment
   */
  public record SeenMachine(Power power, String provisioningState, List<ArmNic> interfaces) {
    public SeenMachine {
      interfaces = List.copyOf(interfaces);
    }
  }

  /** The machine of this id; empty when there is none. */
  public Optional<SeenMachine> machine(String id) {
    return Optional.ofNullable(world.machines.get(ArmId.of(id)))
        .map(each -> new SeenMachine(each.power(), each.provisioningState(), attached(each)));
  }

  private List<ArmNic> attached(ArmMachine machine) {
    List<ArmNic> attached = new ArrayList<>();
    machine.nics.forEach(id -> networkInterface(id).ifPresent(attached::add));
    return attached;
  }

  /** The interface of this id; empty when there is none. */
  public Optional<ArmNic> networkInterface(String id) {
    return networkInterface(ArmId.of(id));
  }

  private Optional<ArmNic> networkInterface(ArmId id) {
    return Optional.ofNullable(world.nics.get(id));
  }

  /** Addresses of a subnet that the next requests can get; those that were just freed cannot. */
  public int freeAddresses(String subnetId) {
    ArmSubnet subnet = world.subnets.get(ArmId.of(subnetId));
    return subnet == null ? 0 : subnet.addresses().free(now);
  }
}
