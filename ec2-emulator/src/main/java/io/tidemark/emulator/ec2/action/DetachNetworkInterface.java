package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.NetworkInterface;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.ResourceType;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.ParameterShape;

/**
 * Takes an interface off its instance; by force at once, and its device index stays unusable until
 * the instance was stopped.
 */
final class DetachNetworkInterface implements Action {
  private static final ParameterShape SHAPE =
      ParameterShape.of(
          Field.text("AttachmentId").mandatory(), Field.flag("Force"), Fields.DRY_RUN);

  @Override
  public ParameterShape shape() {
    return SHAPE;
  }

  @Override
  public Answer answer(Call call) {
    String id = call.parameters().need("AttachmentId");
    ResourceType.ATTACHMENT.requireWellFormed(id);
    NetworkInterface detached =
        call.region()
            .interfaces()
            .presentBy(Region.ATTACHMENT_ID, id)
            .filter(present -> present.attachment().filter(a -> a.id().equals(id)).isPresent())
            .filter(present -> mayDetach(call, present))
            .findFirst()
            .orElseThrow(() -> ResourceType.ATTACHMENT.notFound(id));
    call.region()
        .instanceRules()
        .detach(detached, detached.attachment().orElseThrow(), call.parameters().isSet("Force"));
    return Answer.TRUE;
  }

  /** The owners of the interface and of the instance may. */
  private static boolean mayDetach(Call call, NetworkInterface detached) {
    return detached.ownerId().equals(call.account())
        || detached
            .attachment()
            .filter(a -> a.instanceOwnerId().equals(call.account()))
            .isPresent();
  }
}
