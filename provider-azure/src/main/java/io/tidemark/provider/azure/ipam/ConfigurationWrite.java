package io.tidemark.provider.azure.ipam;

import io.tidemark.provider.azure.network.ArmCondition;
import io.tidemark.provider.azure.network.ConfigurationChange;
import io.tidemark.provider.azure.network.ConfigurationChange.NewConfiguration;
import io.tidemark.provider.azure.network.IpConfiguration;
import io.tidemark.provider.azure.network.NetworkInterface;
import io.tidemark.provider.azure.network.OperationStatus;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.provider.azure.network.WritableResource;
import io.tidemark.provider.azure.network.Written;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Changes the configurations of one interface (provider-azure 13.4): read, write with the etag that
 * was read, wait for the operation, verify. Names are drawn before the first write and kept for all
 * repeats, so that a repetition finds what the one before it did. For one attempt.
 */
final class ConfigurationWrite {
  /** Configurations of an interface, and of a machine (Z22). */
  static final int PLACES = 256;

  private static final int WRITES_MAX = 3;
  private static final int VERIFYING_READS = 3;

  private final ArmCalls arm;
  private final Target target;
  private final Set<String> prefixes;
  private final Duration firstPoll;
  private final CallContext context;

  /**
   * Where to write.
   *
   * @param networkInterface its id
   * @param name of the interface in the model of a Uniform instance
   */
  record Target(ResourceId networkInterface, String name) {
    /** What is written: the instance of a Uniform set, else the interface. */
    ResourceId resource() {
      return networkInterface
          .parent()
          .filter(ResourceId::isUniformInstance)
          .orElse(networkInterface);
    }
  }

  /** What became of it. */
  sealed interface Outcome {
    /**
     * Azure did it, as far as a read begun after its end shows.
     *
     * @param complete whether the read shows all of it
     */
    record Done(NetworkInterface seen, boolean complete) implements Outcome {}

    /** Nothing changed. */
    record Refused(Failure failure) implements Outcome {}

    /**
     * It may have been done, or may still be.
     *
     * @param operation what goes on; empty when that is not known
     */
    record Unknown(Failure failure, Optional<Written> operation) implements Outcome {}
  }

  /**
   * Nothing is sent yet.
   *
   * @param prefixes of the names of configurations that are ours
   * @param firstPoll how long such an operation usually takes
   */
  ConfigurationWrite(
      ArmCalls arm, Target target, Set<String> prefixes, Duration firstPoll, CallContext context) {
    this.arm = arm;
    this.target = target;
    this.prefixes = prefixes;
    this.firstPoll = firstPoll;
    this.context = context;
  }

  /**
   * Adds these configurations; fewer, from the end of the list, where there are not enough places.
   *
   * @param shown names that the interface has; what the model has in addition under a name of ours
   *     are ghosts, which the write drops (Z18)
   */
  CompletionStage<Outcome> add(List<NewConfiguration> added, Set<String> shown) {
    return write(added, Set.of(), shown, 1);
  }

  /** Removes the configurations of these names; those that are gone already do not matter. */
  CompletionStage<Outcome> remove(Set<String> removed, Set<String> shown) {
    return write(List.of(), removed, shown, 1);
  }

  private CompletionStage<Outcome> write(
      List<NewConfiguration> added, Set<String> removed, Set<String> shown, int number) {
    return arm.writable(target.resource(), context)
        .thenCompose(
            result ->
                result.match(base -> write(base, added, removed, shown, number), this::refused));
  }

  private CompletionStage<Outcome> write(
      WritableResource base,
      List<NewConfiguration> added,
      Set<String> removed,
      Set<String> shown,
      int number) {
    Optional<WritableResource.Interface> model = base.find(target.name());
    Optional<Failure> obstacle = obstacle(base);
    if (obstacle.isPresent()) {
      return refused(obstacle.get());
    }
    if (model.isEmpty()) {
      return refused(
          Failure.of(
              Failure.Kind.CONFLICT,
              "interfaceUnknown",
              base.id() + " has no interface " + target.name()));
    }
    List<IpConfiguration> present = model.get().configurations();
    if (number > 1 && isDone(present, added, removed)) {
      return settled(added, removed);
    }
    Set<String> gone = goes(present, removed, shown, added);
    int places = PLACES - Math.max(present.size(), base.places()) + gone.size();
    List<NewConfiguration> fitting = added.subList(0, Math.min(added.size(), Math.max(0, places)));
    if (fitting.isEmpty() && gone.isEmpty()) {
      return added.isEmpty()
          ? verify(List.of(), removed)
          : refused(
              Failure.of(
                  Failure.Kind.CAPACITY,
                  "configurationLimit",
                  base.id() + " has " + base.places() + " configurations"));
    }
    ConfigurationChange change = new ConfigurationChange(target.name(), fitting, gone);
    return arm.write(target.resource(), context, attempt -> arm.api().write(base, change))
        .thenCompose(
            result ->
                result.match(
                    written -> accepted(written, fitting, removed),
                    failure -> failed(failure, fitting, removed, shown, number)));
  }

  /** Why nothing may be written now (Z13). */
  private static Optional<Failure> obstacle(WritableResource base) {
    String state = base.provisioningState();
    if (ArmCalls.goesOn(state)) {
      return Optional.of(
          Failure.of(Failure.Kind.CONFLICT, ArmCondition.BUSY, base.id() + " is " + state));
    }
    boolean stopped =
        base.power().filter(Set.of("stopped", "deallocated", "deallocating")::contains).isPresent();
    return state.equals("deleting") || stopped
        ? Optional.of(
            Failure.of(
                Failure.Kind.NOT_RUNNING,
                "notRunning",
                base.id() + " is " + base.power().orElse(state)))
        : Optional.empty();
  }

  private static boolean isDone(
      List<IpConfiguration> present, List<NewConfiguration> added, Set<String> removed) {
    Set<String> names = names(present);
    return added.stream().allMatch(each -> names.contains(each.name()))
        && removed.stream().noneMatch(names::contains);
  }

  /** What goes, and ghosts: names of ours that the interface does not show. */
  private Set<String> goes(
      List<IpConfiguration> present,
      Set<String> removed,
      Set<String> shown,
      List<NewConfiguration> added) {
    Set<String> gone = new HashSet<>();
    Set<String> wanted = new HashSet<>();
    added.forEach(each -> wanted.add(each.name()));
    for (String name : names(present)) {
      boolean ghost = isOurs(name) && !shown.contains(name) && !wanted.contains(name);
      if (removed.contains(name) || ghost) {
        gone.add(name);
      }
    }
    return gone;
  }

  private boolean isOurs(String name) {
    return prefixes.stream()
        .anyMatch(
            prefix -> name.toLowerCase(Locale.ROOT).startsWith(prefix.toLowerCase(Locale.ROOT)));
  }

  private static Set<String> names(List<IpConfiguration> configurations) {
    Set<String> names = new HashSet<>();
    configurations.forEach(each -> names.add(each.name()));
    return names;
  }

  // ---- after the write

  private CompletionStage<Outcome> failed(
      Failure failure,
      List<NewConfiguration> added,
      Set<String> removed,
      Set<String> shown,
      int number) {
    if (failure.kind() == Failure.Kind.LOST) {
      return lost(failure, added, removed);
    }
    return failure.condition().equals(ArmCondition.ETAG) && number < WRITES_MAX
        ? write(added, removed, shown, number + 1)
        : refused(failure);
  }

  /** The model tells whether a write without a response was accepted (Z15). */
  private CompletionStage<Outcome> lost(
      Failure failure, List<NewConfiguration> added, Set<String> removed) {
    return arm.writable(target.resource(), context)
        .thenCompose(
            result ->
                result.match(
                    now ->
                        now.find(target.name())
                                .filter(each -> isDone(each.configurations(), added, removed))
                                .isPresent()
                            ? settled(added, removed)
                            : unknown(failure, Optional.empty()),
                    later -> unknown(failure, Optional.empty())));
  }

  private CompletionStage<Outcome> accepted(
      Written written, List<NewConfiguration> added, Set<String> removed) {
    if (written.ended()) {
      return verify(added, removed);
    }
    if (written.operation().isEmpty()) {
      return settled(added, removed);
    }
    return arm.ended(written, target.resource(), firstPoll, context)
        .thenCompose(
            result ->
                result.match(
                    status -> ended(status, added, removed),
                    failure ->
                        failure.kind() == Failure.Kind.NOT_FOUND
                                || failure.kind() == Failure.Kind.CONFIGURATION
                            ? settled(added, removed)
                            : unknown(failure, Optional.of(written))));
  }

  /** Any end but success is read back before it is judged (Z18). */
  private CompletionStage<Outcome> ended(
      OperationStatus status, List<NewConfiguration> added, Set<String> removed) {
    if (status.state() == OperationStatus.State.SUCCEEDED) {
      return verify(added, removed);
    }
    return verify(added, removed)
        .thenApply(
            outcome ->
                outcome instanceof Outcome.Done done && done.complete()
                    ? done
                    : new Outcome.Refused(
                        Failure.of(
                            Failure.Kind.CONFLICT,
                            status.state() == OperationStatus.State.CANCELED
                                ? "superseded"
                                : "operationFailed",
                            target.resource() + ": " + status.error())));
  }

  /** Waits by the provisioning state, where no operation can be asked. */
  private CompletionStage<Outcome> settled(List<NewConfiguration> added, Set<String> removed) {
    return arm.settled(target.resource(), firstPoll, context)
        .thenCompose(
            result ->
                result.match(
                    now -> verify(added, removed), failure -> unknown(failure, Optional.empty())));
  }

  private CompletionStage<Outcome> verify(List<NewConfiguration> added, Set<String> removed) {
    return arm.seen(
            target.networkInterface(),
            VERIFYING_READS,
            seen -> shows(seen, added, removed),
            context)
        .thenCompose(
            result ->
                result.match(
                    seen -> done(new Outcome.Done(seen, shows(seen, added, removed))),
                    failure -> unknown(failure, Optional.empty())));
  }

  private static boolean shows(
      NetworkInterface seen, List<NewConfiguration> added, Set<String> removed) {
    Set<String> ready = new HashSet<>();
    List<String> all = new ArrayList<>();
    for (IpConfiguration each : seen.configurations()) {
      all.add(each.name());
      if (each.succeeded() && each.range().isPresent()) {
        ready.add(each.name());
      }
    }
    return added.stream().allMatch(each -> ready.contains(each.name()))
        && removed.stream().noneMatch(all::contains);
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
