package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Ec2NetworkInterface;
import io.tidemark.emulator.ec2.model.InterfacePermission;
import io.tidemark.emulator.ec2.model.Interfaces;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.ResourceType;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import io.tidemark.emulator.ec2.protocol.Parameters;
import java.util.List;
import java.util.Optional;

/** Permissions of other accounts to attach an interface to their instances. */
final class InterfacePermissions {
  private static final String IDS = "NetworkInterfacePermissionId";
  private static final String FILTER = "network-interface-permission.";

  /** The only permission that the emulator gives. */
  private static final String INSTANCE_ATTACH = "INSTANCE-ATTACH";

  static final List<Action> ALL =
      List.of(
          DeclaredAction.of(
              "CreateNetworkInterfacePermission",
              "NetworkInterfaceId! Permission! AwsAccountId -AwsService",
              InterfacePermissions::create),
          DeclaredAction.doing(
              "DeleteNetworkInterfacePermission",
              IDS + "! Force:flag",
              InterfacePermissions::delete),
          DeclaredAction.withoutDryRun(
              "DescribeNetworkInterfacePermissions",
              IDS + "[]" + DeclaredAction.PAGES,
              InterfacePermissions::describe));

  private static final Ec2Filters<InterfacePermission> FILTERS =
      new Ec2Filters<InterfacePermission>("DescribeNetworkInterfacePermissions")
          .by(FILTER + "network-interface-permission-id", InterfacePermission::id)
          .by(FILTER + "network-interface-id", InterfacePermission::interfaceId)
          .by(FILTER + "aws-account-id", InterfacePermission::account)
          .by(FILTER + "permission", permission -> INSTANCE_ATTACH);

  private InterfacePermissions() {}

  /** Lets another account attach an interface of the caller to its instances. */
  private static Answer create(Call call) {
    Parameters parameters = call.parameters();
    Region region = call.region();
    String account = parameters.need("AwsAccountId");
    if (!account.matches("[0-9]{12}")) {
      throw Values.invalid(account, "awsAccountId", "It must have 12 digits.");
    }
    String permission = parameters.need("Permission");
    Ec2Refusal.when(
        permission.equals("EIP-ASSOCIATE"),
        "UnsupportedOperation",
        "The emulator does not support the permission %s",
        permission);
    if (!permission.equals(INSTANCE_ATTACH)) {
      throw Values.invalid(
          permission, "permission", "It must be INSTANCE-ATTACH or EIP-ASSOCIATE.");
    }
    Ec2NetworkInterface shared = call.own(region.interfaces(), "NetworkInterfaceId");
    InterfacePermission made =
        new InterfacePermission(
            region.newId(ResourceType.PERMISSION), call.account(), shared.id(), account);
    region.permissions().put(made);
    new Interfaces(region).publishPermitted(shared.id());
    return Answer.of("interfacePermission", shown(made));
  }

  /** Takes a permission back; by force also while the other account uses the interface. */
  private static void delete(Call call) {
    Region region = call.region();
    InterfacePermission ended = call.own(region.permissions(), IDS);
    boolean used =
        region
            .interfaces()
            .find(ended.interfaceId())
            .flatMap(shared -> shared.attachment())
            .filter(attachment -> attachment.instanceOwnerId().equals(ended.account()))
            .isPresent();
    Ec2Refusal.when(
        used && !call.parameters().isSet("Force"),
        "OperationNotPermitted",
        "The network interface %s is attached under this permission",
        ended.interfaceId());
    region.permissions().remove(ended.id());
    new Interfaces(region).publishPermitted(ended.interfaceId());
  }

  /** Lists the permissions that the caller gave, 5 to 255 on a page, 50 when none is named. */
  private static Answer describe(Call call) {
    PageRequest page = PageRequest.read(call.parameters(), IDS, 255, Optional.of(50));
    return Listing.of(call, call.region().permissions(), IDS, page, FILTERS)
        .answer("networkInterfacePermissions", InterfacePermissions::shown);
  }

  private static Answer shown(InterfacePermission permission) {
    return Answer.of("networkInterfacePermissionId", permission.id())
        .put("networkInterfaceId", permission.interfaceId())
        .put("awsAccountId", permission.account())
        .put("permission", INSTANCE_ATTACH)
        .put("permissionState", Answer.of("state", "granted"));
  }
}
