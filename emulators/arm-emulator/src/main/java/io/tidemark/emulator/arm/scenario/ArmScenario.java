package io.tidemark.emulator.arm.scenario;

import io.tidemark.emulator.arm.gate.Access.Role;
import io.tidemark.emulator.arm.http.Identity;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.model.Resources;
import io.tidemark.emulator.kit.scenario.Place;
import java.util.List;
import java.util.function.Consumer;

/**
 * How the emulated Azure behaves, and what there is at the start. Immutable.
 *
 * @param steps make the resources, in this order
 * @param roles who may do what
 * @param locks scopes that cannot be written
 * @param machine whose metadata service is served
 */
public record ArmScenario(
    ModelOptions options,
    List<Step> steps,
    List<Role> roles,
    List<String> locks,
    List<ArmFault> faults,
    Identity.Machine machine) {
  /** The machine of a scenario that names none. */
  static final Identity.Machine MACHINE =
      new Identity.Machine(
          "00000000-0000-0000-0000-000000000001",
          "nodes",
          "operator",
          "westeurope",
          "AzurePublicCloud");

  /**
   * Makes one resource.
   *
   * @param place where the file says so
   */
  public record Step(Place place, Consumer<Resources> make) {}

  public ArmScenario {
    steps = List.copyOf(steps);
    roles = List.copyOf(roles);
    locks = List.copyOf(locks);
    faults = List.copyOf(faults);
  }

  /** Without resources; everybody may do everything. */
  public static ArmScenario of(ModelOptions options) {
    return new ArmScenario(
        options, List.of(), List.of(Role.owner()), List.of(), List.of(), MACHINE);
  }

  /** The same with other options. */
  public ArmScenario withOptions(ModelOptions changed) {
    return new ArmScenario(changed, steps, roles, locks, faults, machine);
  }
}
