package io.tidemark.provider.aws.simulation;

import io.tidemark.emulator.ec2.types.Hardware;
import io.tidemark.emulator.ec2.types.InstanceType;
import io.tidemark.emulator.ec2.types.InstanceTypes;
import io.tidemark.simulation.scenario.Scenario.InstanceShape;
import java.util.List;
import java.util.Optional;

/**
 * The instance types of a scenario, with the dot that EC2's names have, and a second network card.
 */
record SimulatedTypes(List<InstanceType> all) implements InstanceTypes {
  private static final Hardware HARDWARE =
      new Hardware(true, 2, 1, 2, 8_192, List.of("x86_64"), "Up to 10 Gigabit", "required", 1);

  static SimulatedTypes of(List<InstanceShape> shapes) {
    return new SimulatedTypes(shapes.stream().map(SimulatedTypes::type).toList());
  }

  static String name(String shape) {
    return "sim." + shape;
  }

  private static InstanceType type(InstanceShape shape) {
    return new InstanceType(
        name(shape.name()),
        shape.prefixes() ? "nitro" : "xen",
        false,
        List.of(
            new InstanceType.Card(shape.interfaces(), "Up to 10 Gigabit"),
            new InstanceType.Card(1, "Up to 10 Gigabit")),
        0,
        shape.addressesPerInterface(),
        shape.addressesPerInterface(),
        HARDWARE);
  }

  @Override
  public Optional<InstanceType> find(String name) {
    return all.stream().filter(each -> each.name().equals(name)).findFirst();
  }
}
