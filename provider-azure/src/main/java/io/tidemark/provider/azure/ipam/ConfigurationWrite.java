package io.tidemark.provider.azure.ipam;

import static io.tidemark.metrics.InterfaceMetrics.OperationEnd.FAILED;
import static io.tidemark.metrics.InterfaceMetrics.OperationEnd.SUCCEEDED;
import static io.tidemark.metrics.InterfaceMetrics.OperationEnd.UNKNOWN;

import io.tidemark.metrics.InterfaceMetrics.OperationEnd;
import io.tidemark.provider.azure.network.ArmCondition;
import io.tidemark.provider.azure.network.ArmOperation;
import io.tidemark.provider.azure.network.ArmRead;
import io.tidemark.provider.azure.network.ConfigurationChange;
import io.tidemark.provider.azure.network.ConfigurationChange.NewConfiguration;
import io.tidemark.provider.azure.network.IpConfiguration;
import io.tidemark.provider.azure.network.NetworkInterface;
import io.tidemark.provider.azure.network.OperationStatus;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.provider.azure.network.WritableResource;
import io.tidemark.provider.azure.network.Written;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Changes the configurations of one interface (provider-azure 13.4): read, write with the etag that
 * was read, wait for the operation, verify. Names are drawn before the first write and kept for all
 * repeats, so that a repetition finds what the one before it did. For one attempt.
 *
 * @param memory of the machine
 */
record ConfigurationWrite(ArmCalls arm, Target target, WriteMemory memory, CallContext context) {
  /** Configurations of an interface, and of a machine (Z22). */
  static final int PLACES = 256;

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
    /** What is written: the instance of a Uniform set, else the interface. */
    ResourceId resource() {
      return networkInterface.uniformInstance().orElse(networkInterface);
    }

    boolean isUniform() {
      return resource().isUniformInstance();
    }
  }

  /** What became of it. */
  sealed interface Outcome {
    /**
     * Azure did it, as far as a read begun after its end shows.
     *
     * @param complete whether the read shows all of it
     * @param names of the configurations that were to be added; some may be of an earlier write
     */
    record Done(NetworkInterface seen, boolean complete, Set<String> names) implements Outcome {}

    /** Nothing changed. */
    record Refused(Failure failure) implements Outcome {}

    /**
     * It may have been done, or may still be.
     *
     * @param operation what goes on; empty when nothing is known to
     */
    record Unknown(Failure failure, Optional<Written> operation) implements Outcome {}

    /** Why it is not certain that Azure did it: a lost answer for what is unknown. */
    default Optional<Failure> whyNotDone() {
      if (this instanceof Refused refused) {
        return Optional.of(refused.failure());
      }
      if (this instanceof Unknown unknown) {
        Failure why = unknown.failure();
        return Optional.of(
            new Failure(Failure.Kind.LOST, why.condition(), why.detail(), why.retryAfter()));
      }
      return Optional.empty();
    }
  }

  /** Carries out an edit. */
  CompletionStage<Outcome> apply(InterfaceEdit edit) {
    return write(edit, 1);
  }

  private CompletionStage<Outcome> write(InterfaceEdit edit, int number) {
    return arm.read(ArmRead.writable(target.resource()), context)
        .thenCompose(result -> result.match(base -> write(base, edit, number), this::refused));
  }

  private CompletionStage<Outcome> write(WritableResource base, InterfaceEdit edit, int number) {
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
            arm.shown(target.networkInterface(), context),
            seen -> repaired(base, seen, edit, number),
            failure -> base.hasFailed() ? refused(failure) : decide(base, edit, List.of(), number))
        : decide(base, edit, List.of(), number);
  }

  /**
   * Writes a model that its interface differs from (Z18): drops ghosts; and what a removal that
   * failed left on the interface stays there, unless this edit removes it, because pods may use it.
   */
  private CompletionStage<Outcome> repaired(
      WritableResource base, NetworkInterface seen, InterfaceEdit edit, int number) {
    WritableResource.Interface model = base.find(target.name()).orElseThrow();
    Set<String> stranded = new TreeSet<>();
    if (base.hasFailed()) {
      stranded.addAll(IpConfiguration.names(seen.configurations()));
      stranded.removeAll(IpConfiguration.names(model.configurations()));
    }
    if (!stranded.stream().allMatch(memory.names()::isOurs)) {
      return refused(differs());
    }
    Set<String> coming = unshown(model, seen, edit);
    Set<String> ghosts = memory.ghosts().among(coming, arm.nanos());
    coming.removeAll(ghosts);
    return decide(base, edit.repairing(ghosts, called(coming)), called(stranded), number);
  }

  private List<NewConfiguration> called(Set<String> names) {
    return names.stream()
        .map(name -> new NewConfiguration(name, memory.names().isBlock(name)))
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

  /** What the model has under names of ours and a read begun later does not show. */
  private Set<String> unshown(
      WritableResource.Interface model, NetworkInterface seen, InterfaceEdit edit) {
    Set<String> unshown = new TreeSet<>(IpConfiguration.names(model.configurations()));
    unshown.removeAll(IpConfiguration.names(seen.configurations()));
    unshown.removeAll(edit.names());
    unshown.removeIf(name -> !memory.names().isOurs(name));
    return unshown;
  }

  /**
   * Sends what the edit wants.
   *
   * @param stranded what the interface has and the model lacks
   */
  private CompletionStage<Outcome> decide(
      WritableResource base, InterfaceEdit edit, List<NewConfiguration> stranded, int number) {
    WritableResource.Interface model = base.find(target.name()).orElseThrow();
    InterfaceEdit.Decision decision = edit.on(base, model);
    List<NewConfiguration> kept =
        stranded.stream().filter(each -> !edit.gone().contains(each.name())).toList();
    if (decision instanceof InterfaceEdit.Decision.Send send) {
      return send(base, send.change().alsoAdding(kept), send.expected(), number);
    }
    if (decision instanceof InterfaceEdit.Decision.Nothing && kept.size() < stranded.size()) {
      ConfigurationChange again = new ConfigurationChange(model.name(), kept, Set.of());
      return send(base, again, edit, number);
    }
    return decision instanceof InterfaceEdit.Decision.Refuse refuse
        ? refused(refuse.failure())
        : verify(edit);
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
    if (base.machine().map(ArmCalls::instance).filter(memory.machine()::equals).isEmpty()) {
      return because(
          Failure.Kind.NOT_FOUND,
          "detached",
          base.id() + " is not attached to " + memory.machine() + " any more");
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

  private CompletionStage<Outcome> send(
      WritableResource base, ConfigurationChange change, InterfaceEdit expected, int number) {
    return CallResult.after(
        arm.write(base, change, context),
        written -> accepted(written, expected),
        failure -> failed(failure, expected, number));
  }

  // ---- after the write

  private CompletionStage<Outcome> failed(Failure failure, InterfaceEdit edit, int number) {
    if (failure.kind() == Failure.Kind.LOST) {
      return lost(failure, edit);
    }
    boolean stale = failure.condition().equals(ArmCondition.ETAG);
    if (stale) {
      memory.metrics().staleEtag();
    }
    return stale && number < WRITES_MAX ? write(edit, number + 1) : refused(failure);
  }

  /** The model tells whether a write without a response was accepted (Z15). */
  private CompletionStage<Outcome> lost(Failure failure, InterfaceEdit edit) {
    return arm.read(ArmRead.writable(target.resource()), context)
        .thenCompose(
            result ->
                result
                        .answer()
                        .flatMap(now -> now.find(target.name()))
                        .filter(edit::isDone)
                        .isPresent()
                    ? settled(edit)
                    : unknown(failure, Optional.empty()));
  }

  private CompletionStage<Outcome> accepted(Written written, InterfaceEdit edit) {
    report(written, edit);
    if (written.ended()) {
      return verify(edit);
    }
    if (written.operation().isEmpty()) {
      return settled(edit);
    }
    long begun = arm.nanos();
    return CallResult.after(
        arm.ended(written, target.resource(), memory.times(), context),
        status -> ended(begun, status, edit),
        failure ->
            failure.kind() == Failure.Kind.NOT_FOUND || failure.kind() == Failure.Kind.CONFIGURATION
                ? settled(edit)
                : goesOn(begun, failure, written));
  }

  private CompletionStage<Outcome> goesOn(long begun, Failure failure, Written written) {
    waited(begun, UNKNOWN);
    return unknown(failure, Optional.of(written));
  }

  private void waited(long begun, OperationEnd end) {
    memory
        .metrics()
        .operation(
            ArmOperation.writeOf(target.resource()).kind().name(),
            end,
            Duration.ofNanos(arm.nanos() - begun));
  }

  private void report(Written written, InterfaceEdit edit) {
    if (written.foreign()) {
      memory
          .notices()
          .report(
              AzureError.FOREIGN_OPERATION_URL,
              "the operation of " + target.resource() + " is at another host");
    }
    if (!edit.ghosts().isEmpty()) {
      memory
          .notices()
          .report(
              AzureError.GHOSTS_DROPPED,
              target.networkInterface() + " lacked " + new TreeSet<>(edit.ghosts()));
    }
  }

  /** Any end but success is read back before it is judged (Z18). */
  private CompletionStage<Outcome> ended(long begun, OperationStatus status, InterfaceEdit edit) {
    waited(begun, status.failure().isEmpty() ? SUCCEEDED : FAILED);
    return verify(edit)
        .thenApply(
            outcome -> {
              if (status.failure().isEmpty()
                  || !(outcome instanceof Outcome.Done done)
                  || done.complete()) {
                return outcome;
              }
              if (target.isUniform()) {
                Set<String> lacking = new HashSet<>(edit.names());
                lacking.removeAll(IpConfiguration.names(done.seen().configurations()));
                memory.ghosts().failed(lacking);
              }
              boolean some =
                  done.seen().configurations().stream()
                      .anyMatch(each -> each.succeeded() && edit.names().contains(each.name()));
              if (!some && !edit.gone().isEmpty()) {
                return new Outcome.Unknown(status.failure().get(), Optional.empty());
              }
              return some ? done : new Outcome.Refused(status.failure().get());
            });
  }

  /** Waits by the provisioning state, where no operation can be asked. */
  private CompletionStage<Outcome> settled(InterfaceEdit edit) {
    long begun = arm.nanos();
    return CallResult.after(
        arm.settled(
            ArmRead.writable(target.resource()),
            WritableResource::provisioningState,
            memory.times().usual(),
            context),
        now -> ended(begun, now.lastWrite(), edit),
        failure -> goesOn(begun, failure, Written.unnamed()));
  }

  private CompletionStage<Outcome> verify(InterfaceEdit edit) {
    return CallResult.after(
        arm.seen(target.networkInterface(), VERIFYING_READS, edit::shows, context),
        seen -> {
          memory.ghosts().shown(IpConfiguration.names(seen.configurations()));
          return done(new Outcome.Done(seen, edit.shows(seen), edit.names()));
        },
        failure -> unknown(failure, Optional.empty()));
  }

  private CompletionStage<Outcome> refused(Failure failure) {
    context.giveBackToken();
    return done(new Outcome.Refused(failure));
  }

  private static CompletionStage<Outcome> unknown(Failure failure, Optional<Written> operation) {
    return done(new Outcome.Unknown(failure, operation));
  }

  private static CompletionStage<Outcome> done(Outcome outcome) {
    return CompletableFuture.completedStage(outcome);
  }
}
