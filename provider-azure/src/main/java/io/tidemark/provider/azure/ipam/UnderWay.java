package io.tidemark.provider.azure.ipam;

import io.tidemark.provider.azure.network.ArmRead;
import io.tidemark.provider.azure.network.OperationStatus;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.provider.azure.network.Written;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import java.util.concurrent.CompletionStage;

/**
 * An operation that went on when its write was given up (Z20). Immutable.
 *
 * @param written names it, or not
 * @param resource that is written
 */
record UnderWay(Written written, ResourceId resource) {
  /**
   * Whether it still goes on. An address that is not served any more says nothing: the resource
   * itself does (Z17).
   */
  CompletionStage<CallResult<Boolean>> goesOn(ArmCalls arm, CallContext context) {
    if (written.operation().isEmpty()) {
      return resourceGoesOn(arm, context);
    }
    return CallResult.after(
        arm.operation(written, resource, context),
        status -> CallResult.answered(status.state() == OperationStatus.State.RUNNING),
        failure ->
            switch (failure.kind()) {
              case NOT_FOUND, CONFIGURATION -> resourceGoesOn(arm, context);
              default -> CallResult.answered(true);
            });
  }

  private CompletionStage<CallResult<Boolean>> resourceGoesOn(ArmCalls arm, CallContext context) {
    return CallResult.after(
        arm.read(ArmRead.writable(resource), context),
        now -> CallResult.answered(ArmCalls.goesOn(now.provisioningState())),
        failure ->
            failure.kind() == Failure.Kind.NOT_FOUND
                ? CallResult.answered(false)
                : CallResult.failed(failure));
  }
}
