package io.tidemark.provider.aws.simulation;

import io.tidemark.emulator.ec2.types.Ec2InstanceType;
import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import io.tidemark.emulator.ec2.types.Hardware;
import io.tidemark.simulation.scenario.Scenario.InstanceShape;
import java.util.List;

/**
 * The instance types of a scenario, with the dot that EC2's names have, and a second network card.
 */
final class SimulatedTypes {
  private static final Hardware HARDWARE =
      new Hardware(true, 2, 1, 2, 8_192, List.of("x86_64"), "Up to 10 Gigabit", "required", 1);

  private SimulatedTypes() {}

  static Ec2InstanceTypes of(List<InstanceShape> shapes) {
    return Ec2InstanceTypes.of(shapes.stream().map(SimulatedTypes::type).toList());
  }

  static String name(String shape) {
    return "sim." + shape;
  }

  private static Ec2InstanceType type(InstanceShape shape) {
    return new Ec2InstanceType(
        name(shape.name()),
        shape.prefixes() ? "nitro" : "xen",
        false,
        List.of(
            new Ec2InstanceType.Card(shape.interfaces(), "Up to 10 Gigabit"),
            new Ec2InstanceType.Card(1, "Up to 10 Gigabit")),
        0,
        shape.addressesPerInterface(),
        shape.addressesPerInterface(),
        HARDWARE);
  }
}
