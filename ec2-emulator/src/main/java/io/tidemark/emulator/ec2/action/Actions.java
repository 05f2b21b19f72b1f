package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import java.util.List;

/** The actions that the emulator knows; any other one is refused. */
public final class Actions {
  private static final List<Action> ALL =
      List.of(
          new AllocateAddress(),
          new AssignIpv6Addresses(),
          new AssignPrivateIpAddresses(),
          new AssociateAddress(),
          new AssociateRouteTable(),
          new AssociateSubnetCidrBlock(),
          new AssociateVpcCidrBlock(),
          new AttachNetworkInterface(),
          new CreateNetworkInterface(),
          new CreateNetworkInterfacePermission(),
          new CreateRouteTable(),
          new CreateSecurityGroup(),
          new CreateSubnet(),
          new CreateSubnetCidrReservation(),
          new CreateTags(),
          new CreateVpc(),
          new DeleteNetworkInterface(),
          new DeleteNetworkInterfacePermission(),
          new DeleteRouteTable(),
          new DeleteSecurityGroup(),
          new DeleteSubnet(),
          new DeleteSubnetCidrReservation(),
          new DeleteTags(),
          new DeleteVpc(),
          new DescribeAddresses(),
          new DescribeAvailabilityZones(),
          new DescribeImages(),
          new DescribeInstanceStatus(),
          new DescribeInstanceTypes(),
          new DescribeInstances(),
          new DescribeNetworkInterfaceAttribute(),
          new DescribeNetworkInterfacePermissions(),
          new DescribeNetworkInterfaces(),
          new DescribeRegions(),
          new DescribeRouteTables(),
          new DescribeSecurityGroups(),
          new DescribeSubnets(),
          new DescribeTags(),
          new DescribeVpcs(),
          new DetachNetworkInterface(),
          new DisassociateAddress(),
          new DisassociateRouteTable(),
          new DisassociateSubnetCidrBlock(),
          new DisassociateVpcCidrBlock(),
          new GetSecurityGroupsForVpc(),
          new GetSubnetCidrReservations(),
          new ModifyNetworkInterfaceAttribute(),
          new ReleaseAddress(),
          new RunInstances(),
          StateChange.start(),
          StateChange.stop(),
          StateChange.terminate(),
          new UnassignIpv6Addresses(),
          new UnassignPrivateIpAddresses());

  private Actions() {}

  /** Every action, by name. They have no state. */
  public static List<Action> all() {
    return ALL;
  }
}
