package io.tidemark.provider.azure.ipam;

import io.tidemark.provider.azure.network.ArmList;
import io.tidemark.provider.azure.network.ArmRead;
import io.tidemark.provider.azure.network.AzureNetworkInterface;
import io.tidemark.provider.azure.network.OperationStatus;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.provider.azure.network.WritableResource;
import io.tidemark.provider.azure.network.Written;
import io.tidemark.provider.kit.Together;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.SyncOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Reads of the interfaces of one machine each. A machine with an operation under way is not read
 * until the operation has ended (Z20).
 */
record MachineReads(AzureAccount account) {
  /**
   * An operation that went on when its write was given up (Z20).
   *
   * @param written names it, or not
   * @param resource that is written
   */
  record UnderWay(Written written, ResourceId resource) {}

  CompletionStage<CallResult<List<AzureNetworkInterface>>> read(
      InstanceId id, CallContext context) {
    Optional<ResourceId> machine = ResourceId.parse(id.text());
    if (machine.isEmpty()) {
      return CallResult.failed(
          Failure.of(Failure.Kind.CONFIGURATION, "noMachine", id + " is not a machine id"));
    }
    if (account.unsettled.contains(id)) {
      return afterSettling(id, machine.get(), context);
    }
    UnderWay operation = account.underWay.get(id);
    return operation == null
        ? interfaces(machine.get(), context)
        : CallResult.after(
            goesOn(operation, context),
            goesOn -> {
              if (goesOn) {
                return CallResult.failed(underWay(id));
              }
              account.underWay.remove(id, operation);
              return interfaces(machine.get(), context);
            });
  }

  /**
   * Whether an operation still goes on. An address that is not served any more says nothing: the
   * resource itself does (Z17).
   */
  private CompletionStage<CallResult<Boolean>> goesOn(UnderWay it, CallContext context) {
    if (it.written().operation().isEmpty()) {
      return resourceGoesOn(it, context);
    }
    return CallResult.after(
        account.arm.operation(it.written(), it.resource(), context),
        status -> CallResult.answered(status.state() == OperationStatus.State.RUNNING),
        failure ->
            switch (failure.kind()) {
              case NOT_FOUND, CONFIGURATION -> resourceGoesOn(it, context);
              default -> CallResult.answered(true);
            });
  }

  private CompletionStage<CallResult<Boolean>> resourceGoesOn(UnderWay it, CallContext context) {
    return CallResult.after(
        account.arm.read(ArmRead.writable(it.resource()), context),
        now -> CallResult.answered(ArmCalls.goesOn(now.provisioningState())),
        failure ->
            failure.kind() == Failure.Kind.NOT_FOUND
                ? CallResult.answered(false)
                : CallResult.failed(failure));
  }

  /**
   * The interfaces once nothing goes on that a predecessor may have begun; without what it removed
   * and a list that lags still shows, because its agent promised not to use that any more.
   */
  private CompletionStage<CallResult<List<AzureNetworkInterface>>> afterSettling(
      InstanceId id, ResourceId machine, CallContext context) {
    if (!machine.isUniformInstance()) {
      return CallResult.after(
          interfaces(machine, context),
          found ->
              found.stream().anyMatch(each -> ArmCalls.goesOn(each.state()))
                  ? CallResult.failed(underWay(id))
                  : settled(id, found));
    }
    return CallResult.after(
        account.arm.read(ArmRead.writable(machine), context),
        model ->
            ArmCalls.goesOn(model.provisioningState())
                ? CallResult.failed(underWay(id))
                : CallResult.after(
                    interfaces(machine, context), found -> settled(id, inModel(found, model))));
  }

  private CompletionStage<CallResult<List<AzureNetworkInterface>>> settled(
      InstanceId id, List<AzureNetworkInterface> found) {
    account.unsettled.remove(id);
    return CallResult.answered(found);
  }

  static Failure underWay(InstanceId id) {
    return Failure.of(
        Failure.Kind.TRANSIENT,
        SyncOutcome.Failed.OPERATION_UNDER_WAY,
        "an operation on " + id + " has not ended");
  }

  /** After an operation that failed, the interface has what the model lacks. */
  private static List<AzureNetworkInterface> inModel(
      List<AzureNetworkInterface> found, WritableResource model) {
    return model.hasFailed()
        ? found
        : found.stream()
            .map(nic -> model.find(nic.name()).map(nic::withConfigurationsOf).orElse(nic))
            .toList();
  }

  private CompletionStage<CallResult<List<AzureNetworkInterface>>> interfaces(
      ResourceId machine, CallContext context) {
    if (machine.isUniformInstance()) {
      return account.arm.list(ArmList.interfacesOfInstance(machine), context);
    }
    List<ResourceId> known =
        account.interfaces(ArmCalls.instance(machine)).stream()
            .map(nic -> ResourceId.of(nic.id().text()))
            .toList();
    return known.isEmpty()
        ? ofMachine(machine, context)
        : byName(known, machine, context)
            .thenCompose(
                result ->
                    isNotFound(result) || result.answer().filter(List::isEmpty).isPresent()
                        ? ofMachine(machine, context)
                        : CompletableFuture.completedStage(result));
  }

  private CompletionStage<CallResult<List<AzureNetworkInterface>>> ofMachine(
      ResourceId machine, CallContext context) {
    return CallResult.after(
        account.arm.read(ArmRead.interfacesOfMachine(machine), context),
        ids -> byName(ids, machine, context));
  }

  private CompletionStage<CallResult<List<AzureNetworkInterface>>> byName(
      List<ResourceId> ids, ResourceId machine, CallContext context) {
    return Together.each(ids, id -> account.arm.read(ArmRead.networkInterface(id), context))
        .thenApply(
            read -> {
              List<AzureNetworkInterface> found = new ArrayList<>();
              for (CallResult<AzureNetworkInterface> each : read.values()) {
                if (each instanceof CallResult.Failed<AzureNetworkInterface> failed) {
                  return new CallResult.Failed<>(failed.failure());
                }
                each.answer()
                    .filter(nic -> nic.machine().equals(Optional.of(machine)))
                    .ifPresent(found::add);
              }
              return new CallResult.Answered<>(found);
            });
  }

  static boolean isNotFound(CallResult<?> result) {
    return result.refusal().filter(why -> why.kind() == Failure.Kind.NOT_FOUND).isPresent();
  }
}
