package io.tidemark.provider.azure.ipam;

import io.tidemark.metrics.Metric;
import io.tidemark.provider.azure.ipam.MachineReads.UnderWay;
import io.tidemark.provider.azure.network.ArmCondition;
import io.tidemark.provider.azure.network.ArmOperation;
import io.tidemark.provider.azure.network.ArmRead;
import io.tidemark.provider.azure.network.AzureNetworkInterface;
import io.tidemark.provider.azure.network.ConfigurationChange;
import io.tidemark.provider.azure.network.ConfigurationChange.NewConfiguration;
import io.tidemark.provider.azure.network.IpConfiguration;
import io.tidemark.provider.azure.network.OperationStatus;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.provider.azure.network.WritableResource;
import io.tidemark.provider.azure.network.Written;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.InstanceId;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;

/**
 * Changes the configurations of one interface (provider-azure 13.4): read, write with the etag that
 * was read, wait for the operation, verify. Names are drawn before the first write and kept for all
 * repeats, so that a repetition finds what the one before it did. For one attempt.
 *
 * @param instance whose interface it is
 * @param ghosts what failed writes of this instance left
 */
record ConfigurationWrite(
    AzureAccount account, InstanceId instance, Ghosts ghosts, Target target, CallContext context) {
  private static final int WRITES_MAX = 3;
  private static final int VERIFYING_READS = 3;

  /**
   * Where to write.
   *
   * @param networkInterface its id
   * @param name of the interface in the model of a Uniform instance
   * @param shown how many configurations it is known to have; where the model has more, it is read
   *     again to find ghosts
   */
  record Target(ResourceId networkInterface, String name, int shown) {
    /** The written resource: the instance of a Uniform set, else the interface. */
    ResourceId resource() {
      return networkInterface.uniformInstance().orElse(networkInterface);
    }

    boolean isUniform() {
      return resource().isUniformInstance();
    }
  }

  /**
   * Azure did it, as far as a read begun after its end shows.
   *
   * @param complete whether the read shows all of it
   * @param names of the configurations that were to be added; some may be of an earlier write
   */
  record Done(AzureNetworkInterface seen, boolean complete, Set<String> names) {}

  /**
   * Carries out an edit.
   *
   * @return a lost answer where it may have been done, or may still be; after any other failure
   *     nothing has changed
   */
  CompletionStage<CallResult<Done>> apply(InterfaceEdit edit) {
    return write(edit, 1);
  }

  private CompletionStage<CallResult<Done>> write(InterfaceEdit edit, int number) {
    return account
        .arm
        .read(ArmRead.writable(target.resource()), context)
        .thenCompose(result -> result.match(base -> write(base, edit, number), this::refused));
  }

  private CompletionStage<CallResult<Done>> write(
      WritableResource base, InterfaceEdit edit, int number) {
    Optional<Failure> obstacle =
        obstacle(base).or(() -> number > 1 ? Optional.empty() : mismatch(base, edit));
    if (obstacle.isPresent()) {
      return refused(obstacle.get());
    }
    WritableResource.Interface model = base.find(target.name()).orElseThrow();
    if (number > 1 && edit.isDone(model)) {
      return settled(edit);
    }
    boolean differs =
        target.isUniform() && (base.hasFailed() || model.configurations().size() > target.shown());
    return differs
        ? CallResult.after(
            account.arm.shown(target.networkInterface(), context),
            seen -> repaired(base, seen, edit, number),
            failure -> base.hasFailed() ? refused(failure) : decide(base, edit, List.of(), number))
        : decide(base, edit, List.of(), number);
  }

  /**
   * Writes a model that its interface differs from (Z18): drops ghosts; and what a removal that
   * failed left on the interface stays there, unless this edit removes it, because pods may use it.
   */
  private CompletionStage<CallResult<Done>> repaired(
      WritableResource base, AzureNetworkInterface seen, InterfaceEdit edit, int number) {
    WritableResource.Interface model = base.find(target.name()).orElseThrow();
    Set<String> stranded = new TreeSet<>();
    if (base.hasFailed()) {
      stranded.addAll(IpConfiguration.names(seen.configurations()));
      stranded.removeAll(IpConfiguration.names(model.configurations()));
    }
    if (!stranded.stream().allMatch(account.names::isOurs)) {
      return refused(differs());
    }
    Set<String> coming = unshown(model, seen, edit);
    Set<String> dropped = ghosts.among(coming, account.arm.nanos());
    coming.removeAll(dropped);
    return decide(base, edit.repairing(dropped, called(coming)), called(stranded), number);
  }

  private List<NewConfiguration> called(Set<String> names) {
    return names.stream()
        .map(name -> new NewConfiguration(name, account.names.isBlock(name)))
        .toList();
  }

  /** Why the model that is read first is not what the edit was made for (Z14, Z26). */
  private Optional<Failure> mismatch(WritableResource base, InterfaceEdit edit) {
    Set<String> present =
        IpConfiguration.names(base.find(target.name()).orElseThrow().configurations());
    if (edit.names().stream().anyMatch(present::contains)) {
      return because(Failure.Kind.CONFLICT, "nameTaken", target.name() + " has such a name");
    }
    boolean lacks = target.isUniform() && !base.hasFailed() && !present.containsAll(edit.gone());
    return lacks ? Optional.of(differs()) : Optional.empty();
  }

  private static Optional<Failure> because(Failure.Kind kind, String condition, String detail) {
    return Optional.of(Failure.of(kind, condition, detail));
  }

  private Failure differs() {
    return Failure.of(
        Failure.Kind.CONFLICT,
        "modelDiffers",
        "the model of " + target.resource() + " lacks what its interface shows");
  }

  /** The configurations under names of ours in the model that a read begun later does not show. */
  private Set<String> unshown(
      WritableResource.Interface model, AzureNetworkInterface seen, InterfaceEdit edit) {
    Set<String> unshown = new TreeSet<>(IpConfiguration.names(model.configurations()));
    unshown.removeAll(IpConfiguration.names(seen.configurations()));
    unshown.removeAll(edit.names());
    unshown.removeIf(name -> !account.names.isOurs(name));
    return unshown;
  }

  /**
   * Sends what the edit wants.
   *
   * @param stranded what the interface has and the model lacks
   */
  private CompletionStage<CallResult<Done>> decide(
      WritableResource base, InterfaceEdit edit, List<NewConfiguration> stranded, int number) {
    WritableResource.Interface model = base.find(target.name()).orElseThrow();
    List<NewConfiguration> kept =
        stranded.stream().filter(each -> !edit.gone().contains(each.name())).toList();
    InterfaceEdit.Send again =
        new InterfaceEdit.Send(new ConfigurationChange(model.name(), List.of(), Set.of()), edit);
    return edit.on(base, model)
        .match(
            wanted ->
                wanted.isEmpty() && kept.size() == stranded.size()
                    ? verify(edit)
                    : send(base, wanted.orElse(again), kept, number),
            this::refused);
  }

  /** Why nothing may be written now (Z13). */
  private Optional<Failure> obstacle(WritableResource base) {
    String state = base.provisioningState();
    if (ArmCalls.goesOn(state)) {
      return because(Failure.Kind.CONFLICT, ArmCondition.BUSY, base.id() + " is " + state);
    }
    if (base.etag().isEmpty()) {
      return because(Failure.Kind.TRANSIENT, "noEtag", base.id() + " was read without an etag");
    }
    if (base.machine().map(ArmCalls::instance).filter(instance::equals).isEmpty()) {
      return because(
          Failure.Kind.NOT_FOUND,
          "detached",
          base.id() + " is not attached to " + instance + " any more");
    }
    boolean stopped =
        base.power().filter(Set.of("stopped", "deallocated", "deallocating")::contains).isPresent();
    if (state.equals("deleting") || stopped) {
      return because(
          Failure.Kind.NOT_RUNNING, "notRunning", base.id() + " is " + base.power().orElse(state));
    }
    return base.find(target.name()).isPresent()
        ? Optional.empty()
        : because(
            Failure.Kind.CONFLICT,
            "interfaceUnknown",
            base.id() + " has no interface " + target.name());
  }

  private CompletionStage<CallResult<Done>> send(
      WritableResource base, InterfaceEdit.Send send, List<NewConfiguration> kept, int number) {
    return CallResult.after(
        account.arm.write(base, send.change().alsoAdding(kept), context),
        written -> accepted(written, send.expected()),
        failure -> failed(failure, send.expected(), number));
  }

  // ---- after the write

  private CompletionStage<CallResult<Done>> failed(
      Failure failure, InterfaceEdit edit, int number) {
    if (failure.kind() == Failure.Kind.LOST) {
      return lost(failure, edit);
    }
    boolean stale = failure.condition().equals(ArmCondition.ETAG);
    if (stale) {
      account.state.metrics().count(Metric.ENI_STALE_ETAG);
    }
    return stale && number < WRITES_MAX ? write(edit, number + 1) : refused(failure);
  }

  /** The model tells whether a write without a response was accepted (Z15). */
  private CompletionStage<CallResult<Done>> lost(Failure failure, InterfaceEdit edit) {
    return account
        .arm
        .read(ArmRead.writable(target.resource()), context)
        .thenCompose(
            result ->
                result
                        .answer()
                        .flatMap(now -> now.find(target.name()))
                        .filter(edit::isDone)
                        .isPresent()
                    ? settled(edit)
                    : unknown(failure));
  }

  private CompletionStage<CallResult<Done>> accepted(Written written, InterfaceEdit edit) {
    report(written, edit);
    if (written.ended()) {
      return verify(edit);
    }
    if (written.operation().isEmpty()) {
      return settled(edit);
    }
    long begun = account.arm.nanos();
    return CallResult.after(
        account.arm.ended(written, target.resource(), times(), context),
        status -> ended(begun, status, edit),
        failure ->
            failure.kind() == Failure.Kind.NOT_FOUND || failure.kind() == Failure.Kind.CONFIGURATION
                ? settled(edit)
                : goesOn(begun, failure, written));
  }

  /** An operation that goes on is remembered (Z20). */
  private CompletionStage<CallResult<Done>> goesOn(long begun, Failure failure, Written written) {
    waited(begun, "unknown");
    account.underWay.put(instance, new UnderWay(written, target.resource()));
    return unknown(failure);
  }

  private OperationTimes times() {
    return account.times(target.isUniform());
  }

  private void waited(long begun, String outcome) {
    account
        .state
        .metrics()
        .record(
            Metric.ENI_OPERATION_DURATION,
            Duration.ofNanos(account.arm.nanos() - begun),
            ArmOperation.writeOf(target.resource()).kind().name(),
            outcome);
  }

  private void report(Written written, InterfaceEdit edit) {
    if (written.foreign()) {
      account.notices.report(
          AzureError.FOREIGN_OPERATION_URL,
          "the operation of " + target.resource() + " is at another host");
    }
    if (!edit.ghosts().isEmpty()) {
      account.notices.report(
          AzureError.GHOSTS_DROPPED,
          target.networkInterface() + " lacked " + new TreeSet<>(edit.ghosts()));
    }
  }

  /** Any end but success is read back before it is judged (Z18). */
  private CompletionStage<CallResult<Done>> ended(
      long begun, OperationStatus status, InterfaceEdit edit) {
    waited(begun, status.failure().isEmpty() ? "succeeded" : "failed");
    return CallResult.after(
        verify(edit),
        done ->
            status.failure().isEmpty() || done.complete()
                ? CallResult.answered(done)
                : judged(done, status.failure().get(), edit));
  }

  /** The changes of an operation that failed. */
  private CompletionStage<CallResult<Done>> judged(Done done, Failure failure, InterfaceEdit edit) {
    if (target.isUniform()) {
      Set<String> lacking = new HashSet<>(edit.names());
      lacking.removeAll(IpConfiguration.names(done.seen().configurations()));
      ghosts.failed(lacking);
    }
    boolean some =
        done.seen().configurations().stream()
            .anyMatch(each -> each.succeeded() && edit.names().contains(each.name()));
    return some
        ? CallResult.answered(done)
        : CallResult.failed(edit.gone().isEmpty() ? failure : asLost(failure));
  }

  /** Waits by the provisioning state, where no operation can be asked. */
  private CompletionStage<CallResult<Done>> settled(InterfaceEdit edit) {
    long begun = account.arm.nanos();
    return CallResult.after(
        account.arm.settled(
            ArmRead.writable(target.resource()),
            WritableResource::provisioningState,
            times().usual(),
            context),
        now -> ended(begun, now.lastWrite(), edit),
        failure -> goesOn(begun, failure, Written.unnamed()));
  }

  private CompletionStage<CallResult<Done>> verify(InterfaceEdit edit) {
    return CallResult.after(
        account.arm.seen(target.networkInterface(), VERIFYING_READS, edit::shows, context),
        seen -> {
          ghosts.shown(IpConfiguration.names(seen.configurations()));
          return CallResult.answered(new Done(seen, edit.shows(seen), edit.names()));
        },
        ConfigurationWrite::unknown);
  }

  private CompletionStage<CallResult<Done>> refused(Failure failure) {
    context.giveBackToken();
    return CallResult.failed(failure);
  }

  private static CompletionStage<CallResult<Done>> unknown(Failure failure) {
    return CallResult.failed(asLost(failure));
  }

  private static Failure asLost(Failure why) {
    return new Failure(Failure.Kind.LOST, why.condition(), why.detail(), why.retryAfter());
  }
}
