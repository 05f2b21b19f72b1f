package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.InterfacePermission;
import io.tidemark.emulator.ec2.model.NetworkInterface;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.ResourceType;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import io.tidemark.emulator.ec2.protocol.Parameters;
import io.tidemark.emulator.ec2.protocol.Refusal;

/** Lets another account attach an interface of the caller to its instances. */
final class CreateNetworkInterfacePermission implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.text("NetworkInterfaceId").mandatory(),
          Field.text("Permission").mandatory(),
          Field.text("AwsAccountId"),
          Field.unsupported("AwsService"),
          Fields.DRY_RUN);

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    Parameters parameters = call.parameters();
    Region region = call.region();
    String account =
        parameters.text("AwsAccountId").orElseThrow(() -> ParameterShape.missing("awsAccountId"));
    if (!account.matches("[0-9]{12}")) {
      throw Values.invalid(account, "awsAccountId", "It must have 12 digits.");
    }
    requirePermission(parameters.need("Permission"));
    NetworkInterface shared =
        call.needOwn(region.interfaces(), parameters.need("NetworkInterfaceId"));
    InterfacePermission made =
        new InterfacePermission(
            region.newId(ResourceType.PERMISSION), call.account(), shared.id(), account);
    region.permissions().put(made);
    region.interfaceRules().publishPermitted(shared.id());
    return Answer.builder().nested("interfacePermission", PermissionAnswer.of(made)).build();
  }

  private static void requirePermission(String permission) {
    if (permission.equals("EIP-ASSOCIATE")) {
      throw Refusal.of(
          "UnsupportedOperation", "The emulator does not support the permission " + permission);
    }
    if (!permission.equals(PermissionAnswer.INSTANCE_ATTACH)) {
      throw Values.invalid(
          permission, "permission", "It must be INSTANCE-ATTACH or EIP-ASSOCIATE.");
    }
  }
}
