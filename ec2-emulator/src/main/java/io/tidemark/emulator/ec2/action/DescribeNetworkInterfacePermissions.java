package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.InterfacePermission;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;
import java.util.Optional;
import java.util.OptionalInt;

/** Lists the permissions that the caller gave, 50 on a page when no size is named. */
final class DescribeNetworkInterfacePermissions implements Action {
  private static final String IDS = "NetworkInterfacePermissionId";
  private static final String FILTER = "network-interface-permission.";

  /** Documented for MaxResults: 5 to 255, 50 when it is not specified, and not with ids. */
  private static final PageRequest.Rule PAGES =
      new PageRequest.Rule(5, 255, Optional.of(IDS), OptionalInt.of(50));

  private static final ParameterShape SHAPE =
      ParameterShape.of(Field.texts(IDS), Fields.FILTERS, Fields.MAX_RESULTS, Fields.NEXT_TOKEN);

  private static final Filters<InterfacePermission> FILTERS =
      new Filters<InterfacePermission>("DescribeNetworkInterfacePermissions")
          .by(FILTER + "network-interface-permission-id", InterfacePermission::id)
          .by(FILTER + "network-interface-id", InterfacePermission::interfaceId)
          .by(FILTER + "aws-account-id", InterfacePermission::account)
          .by(FILTER + "permission", permission -> PermissionAnswer.INSTANCE_ATTACH);

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    Listing<InterfacePermission> listing =
        Listing.of(call, call.region().permissions(), IDS, FILTERS, PAGES);
    return Answer.builder()
        .items("networkInterfacePermissions", listing.resources(), PermissionAnswer::of)
        .text("nextToken", listing.nextToken())
        .build();
  }
}
