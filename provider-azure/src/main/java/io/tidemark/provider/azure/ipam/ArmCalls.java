package io.tidemark.provider.azure.ipam;

import io.tidemark.provider.azure.identity.AccessTokens;
import io.tidemark.provider.azure.network.ArmApi;
import io.tidemark.provider.azure.network.ArmCondition;
import io.tidemark.provider.azure.network.ArmFailure;
import io.tidemark.provider.azure.network.ArmList;
import io.tidemark.provider.azure.network.ArmOperation;
import io.tidemark.provider.azure.network.ArmRead;
import io.tidemark.provider.azure.network.AzureNetworkInterface;
import io.tidemark.provider.azure.network.AzurePage;
import io.tidemark.provider.azure.network.ConfigurationChange;
import io.tidemark.provider.azure.network.OperationStatus;
import io.tidemark.provider.azure.network.PublicPrefix;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.provider.azure.network.WritableResource;
import io.tidemark.provider.azure.network.Written;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Poll;
import io.tidemark.resilience.Poll.Polled;
import io.tidemark.spi.InstanceId;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Requests to Azure as stages: each page, write and poll is one leaf of {@link CloudCalls} with a
 * valid token; a token that Azure refuses is renewed once, and the request repeated once (13.3).
 * Thread-safe.
 */
final class ArmCalls {
  private final Supplier<ArmApi> api;
  private final CloudCalls calls;
  private final AccessTokens tokens;
  private final TaskScheduler scheduler;
  private final Duration pollInterval;
  private final WritePace pace = new WritePace();

  /**
   * Requests of one principal.
   *
   * @param api called inside of requests alone
   * @param pollInterval between two reads of something that goes on, unless Azure names a longer
   *     one
   */
  ArmCalls(
      Supplier<ArmApi> api,
      CloudCalls calls,
      AccessTokens tokens,
      TaskScheduler scheduler,
      Duration pollInterval) {
    this.api = api;
    this.calls = calls;
    this.tokens = tokens;
    this.scheduler = scheduler;
    this.pollInterval = pollInterval;
  }

  CloudCalls calls() {
    return calls;
  }

  // ---- reads

  <T> CompletionStage<CallResult<T>> read(ArmRead<T> what, CallContext context) {
    return call(what.operation(), context, attempt -> api.get().read(what));
  }

  /** A whole list, page after page. */
  <T> CompletionStage<CallResult<List<T>>> list(ArmList<T> what, CallContext context) {
    return AzurePage.all(
        next -> call(what.operation(), context, attempt -> api.get().page(what, next)));
  }

  // ---- changes

  /** One request; the kind of it is what the plan has a token of. */
  CompletionStage<CallResult<Written>> write(
      WritableResource base, ConfigurationChange change, CallContext context) {
    ResourceId id = base.id();
    Optional<Duration> pause =
        id.isUniformInstance() ? pace.take(instance(id), nanos()) : Optional.empty();
    return pause.isPresent()
        ? CallResult.failed(
            new Failure(
                Failure.Kind.CONFLICT,
                ArmCondition.INSTANCE_THROTTLED,
                id + " was written four times within a minute",
                pause))
        : call(ArmOperation.writeOf(id), context, attempt -> api.get().write(base, change));
  }

  /** The id of a machine as nodes name it. */
  static InstanceId instance(ResourceId machine) {
    return new InstanceId(machine.text().toLowerCase(Locale.ROOT));
  }

  void forget(InstanceId instance) {
    pace.forget(instance);
  }

  long nanos() {
    return scheduler.time().nanos();
  }

  /** Makes a public address of a prefix; the same again changes nothing. */
  CompletionStage<CallResult<Written>> createPublicAddress(
      ResourceId id, PublicPrefix prefix, CallContext context) {
    return call(
        ArmOperation.PUBLIC_ADDRESS_UPDATE,
        context,
        attempt -> api.get().createPublicAddress(id, prefix));
  }

  CompletionStage<CallResult<OperationStatus>> operation(
      Written written, ResourceId resource, CallContext context) {
    return call(
        ArmOperation.OPERATION_GET, context, attempt -> api.get().operation(written, resource));
  }

  /**
   * Asks until an operation that was accepted now has ended, first when such ones usually have.
   *
   * @param times learn how long it takes
   */
  CompletionStage<CallResult<OperationStatus>> ended(
      Written written, ResourceId resource, OperationTimes times, CallContext context) {
    long begun = nanos();
    OperationTimes.Run run = times.begin();
    return poll(
        ArmOperation.OPERATION_GET,
        () -> begun + later(times.usual(), written.retryAfter()).toNanos(),
        context,
        attempt -> {
          OperationStatus status = api.get().operation(written, resource);
          if (status.state() == OperationStatus.State.RUNNING) {
            Duration pause = later(pollInterval, status.retryAfter());
            run.goesOn(Duration.ofNanos(nanos() - begun), pause);
            return Polled.again(pause);
          }
          if (status.failure().isEmpty()) {
            run.ended();
          }
          return Polled.done(status);
        });
  }

  /**
   * Reads a resource until its provisioning state is none of those that go on.
   *
   * @param state the provisioning state of what was read
   */
  <T> CompletionStage<CallResult<T>> settled(
      ArmRead<T> what, Function<T, String> state, Duration firstDelay, CallContext context) {
    long first = nanos() + firstDelay.toNanos();
    return poll(
        what.operation(),
        () -> first,
        context,
        attempt -> {
          T read = api.get().read(what);
          return goesOn(state.apply(read)) ? Polled.again(pollInterval) : Polled.done(read);
        });
  }

  private <T> CompletionStage<CallResult<T>> poll(
      ArmOperation operation,
      LongSupplier firstNanos,
      CallContext context,
      CloudCalls.Leaf<Polled<T>> leaf) {
    return withToken(
        context,
        () -> Poll.start(calls, scheduler, operation.kind(), context, firstNanos, carrying(leaf)));
  }

  /** Whether a provisioning state says that something goes on. */
  static boolean goesOn(String provisioningState) {
    return provisioningState.equals("updating") || provisioningState.equals("creating");
  }

  /** Reads an interface until it is as wanted, or this often. */
  CompletionStage<CallResult<AzureNetworkInterface>> seen(
      ResourceId id, int reads, Predicate<AzureNetworkInterface> wanted, CallContext context) {
    return CallResult.after(
        shown(id, context),
        now ->
            wanted.test(now) || reads <= 1
                ? CallResult.answered(now)
                : pause(Duration.ofSeconds(2))
                    .thenCompose(ignored -> seen(id, reads - 1, wanted, context)));
  }

  /** An interface as it is now; Uniform instances show theirs in a list of their own alone. */
  CompletionStage<CallResult<AzureNetworkInterface>> shown(ResourceId id, CallContext context) {
    Optional<ResourceId> instance = id.uniformInstance();
    return instance.isEmpty()
        ? read(ArmRead.networkInterface(id), context)
        : CallResult.after(
            list(ArmList.interfacesOfInstance(instance.get()), context),
            all ->
                CallResult.of(
                    all.stream().filter(each -> each.id().equals(id)).findFirst(),
                    () -> Failure.of(Failure.Kind.NOT_FOUND, "notFound", id + " is not listed")));
  }

  private CompletionStage<Boolean> pause(Duration time) {
    CompletableFuture<Boolean> over = new CompletableFuture<>();
    scheduler.after(time, () -> over.complete(true));
    return over;
  }

  private static Duration later(Duration usual, Optional<Duration> asked) {
    return asked.filter(each -> each.compareTo(usual) > 0).orElse(usual);
  }

  // ---- one request

  private <T> CompletionStage<CallResult<T>> call(
      ArmOperation operation, CallContext context, CloudCalls.Leaf<T> leaf) {
    return withToken(context, () -> calls.call(operation.kind(), context, carrying(leaf)));
  }

  /** The token that Azure refuses is the one that was sent: it may be renewed before. */
  private <T> CloudCalls.Leaf<T> carrying(CloudCalls.Leaf<T> leaf) {
    return attempt -> {
      String sent = tokens.now();
      try {
        return leaf.send(attempt);
      } catch (ArmFailure e) {
        if (e.status() == 401) {
          tokens.refused(sent);
        }
        throw e;
      }
    };
  }

  private <T> CompletionStage<CallResult<T>> withToken(
      CallContext context, Supplier<CompletionStage<CallResult<T>>> request) {
    return onceThereIsOne(
        context,
        () ->
            request
                .get()
                .thenCompose(
                    result ->
                        isRefusedToken(result)
                            ? onceThereIsOne(context, request)
                            : CompletableFuture.completedStage(result)));
  }

  private <T> CompletionStage<CallResult<T>> onceThereIsOne(
      CallContext context, Supplier<CompletionStage<CallResult<T>>> request) {
    return CallResult.after(
        tokens.current(context),
        valid -> request.get(),
        failure -> {
          context.giveBackToken();
          return CallResult.failed(failure);
        });
  }

  private static boolean isRefusedToken(CallResult<?> result) {
    return result
        .refusal()
        .filter(why -> why.condition().equals(ArmCondition.NO_CREDENTIALS))
        .isPresent();
  }
}
