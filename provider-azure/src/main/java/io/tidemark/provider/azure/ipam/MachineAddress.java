package io.tidemark.provider.azure.ipam;

import io.tidemark.ip.IpAddress;
import io.tidemark.provider.azure.ipam.ConfigurationWrite.Target;
import io.tidemark.provider.azure.network.ArmRead;
import io.tidemark.provider.azure.network.PublicAddress;
import io.tidemark.provider.azure.network.PublicPrefix;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.provider.azure.network.Written;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletionStage;

/**
 * The public IP address of a virtual machine: a resource of its own that its interface refers to.
 *
 * @param id its name is made of the interface's, so that a repetition finds what was made before
 */
record MachineAddress(ArmCalls arm, ResourceId id, CallContext context) {
  private static final int NAME_MAX = 80;

  /** How long Azure usually takes to make one. */
  private static final Duration FIRST_POLL = Duration.ofSeconds(2);

  /** The id of the address that an interface gets: in the interface's group. */
  static ResourceId idFor(Target target, String namePrefix) {
    ResourceId of = target.networkInterface();
    String name = namePrefix + of.name();
    String key = of.text().toLowerCase(Locale.ROOT);
    return ResourceId.of(
        of.groupScope()
            + "/providers/Microsoft.Network/publicIPAddresses/"
            + (name.length() <= NAME_MAX
                ? name
                : namePrefix + Integer.toHexString(key.hashCode())));
  }

  /** Whether it is of this prefix. */
  boolean isOf(PublicPrefix prefix) {
    return prefix.addresses().contains(id);
  }

  /** Makes it of this prefix, unless it is of it already. */
  CompletionStage<CallResult<IpAddress>> made(PublicPrefix prefix) {
    return isOf(prefix)
        ? read()
        : CallResult.after(
            arm.createPublicAddress(id, prefix, context),
            this::accepted,
            failure ->
                failure.kind() == Failure.Kind.LOST ? lost(failure) : CallResult.failed(failure));
  }

  private CompletionStage<CallResult<IpAddress>> accepted(Written written) {
    if (written.ended() || written.operation().isEmpty()) {
      return read();
    }
    return CallResult.after(
        arm.ended(written, id, new OperationTimes(FIRST_POLL), context),
        status ->
            status
                .failure()
                .<CompletionStage<CallResult<IpAddress>>>map(CallResult::failed)
                .orElseGet(this::read),
        failure -> read());
  }

  /** Whether a request without a response was accepted. */
  private CompletionStage<CallResult<IpAddress>> lost(Failure failure) {
    return read()
        .thenApply(
            result -> result.refusal().isEmpty() ? result : new CallResult.Failed<>(failure));
  }

  /** The address, once Azure has given it. */
  CompletionStage<CallResult<IpAddress>> read() {
    return CallResult.after(
        arm.settled(ArmRead.publicAddress(id), PublicAddress::state, Duration.ZERO, context),
        read ->
            CallResult.of(
                read.address(),
                () ->
                    Failure.of(
                        Failure.Kind.CONFLICT,
                        "publicAddressFailed",
                        id + " has no address and is " + read.state())));
  }
}
