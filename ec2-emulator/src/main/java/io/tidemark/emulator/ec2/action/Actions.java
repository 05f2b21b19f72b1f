package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import java.util.List;

/** The actions that the emulator knows; any other one is refused with InvalidAction. */
public final class Actions {
  private static final List<Action> ALL =
      List.of(
          new AssignPrivateIpAddresses(),
          new AttachNetworkInterface(),
          new CreateNetworkInterface(),
          new CreateSecurityGroup(),
          new CreateSubnet(),
          new CreateTags(),
          new CreateVpc(),
          new DeleteNetworkInterface(),
          new DeleteSecurityGroup(),
          new DeleteSubnet(),
          new DeleteTags(),
          new DeleteVpc(),
          new DescribeInstanceTypes(),
          new DescribeInstances(),
          new DescribeNetworkInterfaces(),
          new DescribeSecurityGroups(),
          new DescribeSubnets(),
          new DescribeTags(),
          new DescribeVpcs(),
          new DetachNetworkInterface(),
          new ModifyNetworkInterfaceAttribute(),
          new RunInstances(),
          new StartInstances(),
          new StopInstances(),
          new TerminateInstances(),
          new UnassignPrivateIpAddresses());

  private Actions() {}

  /** Every action, by name. They have no state. */
  public static List<Action> all() {
    return ALL;
  }
}
