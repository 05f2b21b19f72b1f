package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.InterfacePermission;
import io.tidemark.emulator.ec2.protocol.Answer;

/** Writes permissions as the service model's NetworkInterfacePermission structure. */
final class PermissionAnswer {
  /** The only permission that the emulator gives. */
  static final String INSTANCE_ATTACH = "INSTANCE-ATTACH";

  private PermissionAnswer() {}

  static Answer of(InterfacePermission permission) {
    return Answer.builder()
        .text("networkInterfacePermissionId", permission.id())
        .text("networkInterfaceId", permission.interfaceId())
        .text("awsAccountId", permission.account())
        .text("permission", INSTANCE_ATTACH)
        .nested("permissionState", Answer.builder().text("state", "granted").build())
        .build();
  }
}
