package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The actions that the emulator knows; any other one is refused. */
public final class Actions {
  private static final List<Action> ALL =
      Stream.of(
              ElasticAddressActions.ALL,
              InstanceActions.ALL,
              InterfaceActions.ALL,
              InterfaceAttributes.ALL,
              Ec2InterfaceListing.ALL,
              InterfacePermissions.ALL,
              PublicFacts.ALL,
              RouteTableActions.ALL,
              SecurityGroupActions.ALL,
              SubnetActions.ALL,
              SubnetReservations.ALL,
              TagActions.ALL,
              VpcActions.ALL)
          .flatMap(List::stream)
          .sorted(Comparator.comparing(Action::name))
          .toList();

  private Actions() {}

  /** Every action, by name. They have no state. */
  public static List<Action> all() {
    return ALL;
  }
}
