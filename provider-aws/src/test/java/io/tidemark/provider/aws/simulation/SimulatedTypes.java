package io.tidemark.provider.aws.simulation;

import io.tidemark.emulator.ec2.types.Ec2InstanceType;
import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import io.tidemark.emulator.ec2.types.Hardware;
import io.tidemark.simulation.scenario.Scenario.InstanceShape;
import java.util.List;
import java.util.Optional;

/**
 * The instance types of a scenario, with the dot that EC2's names have, and a second network card.
 */
record SimulatedTypes(List<Ec2InstanceType> all) implements Ec2InstanceTypes {
  private static final Hardware HARDWARE =
      new Hardware(true, 2, 1, 2, 8_192, List.of("x86_64"), "Up to 10 Gigabit", "required", 1);

  static SimulatedTypes of(List<InstanceShape> shapes) {
    return new SimulatedTypes(shapes.stream().map(SimulatedTypes::type).toList());
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

  @Override
  public Optional<Ec2InstanceType> find(String name) {
    return all.stream().filter(each -> each.name().equals(name)).findFirst();
  }
}
