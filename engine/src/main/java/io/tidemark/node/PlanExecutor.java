package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.resilience.Admission;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallToken;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Priority;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries out a plan that changes the cloud: waits for a token, has the plan made again, hands it
 * to the provider, reads the outcome (docs/architecture.md, "plan, token, plan again, call"). Used
 * on the node's lane, one run at a time.
 */
final class PlanExecutor {
  private static final CompletionStage<PassEnd> REPLAN =
      CompletableFuture.completedStage(new PassEnd.Replan());

  private final NodeOperations operations;
  private final CloudCalls calls;
  private final PassMetrics metrics;
  private final TaskScheduler scheduler;
  private final PreReleaseRead preReleaseRead;
  private final Executor lane;
  private @Nullable Admission waiting;
  private long waitingNanos;

  PlanExecutor(
      NodeOperations operations,
      CloudCalls calls,
      PassMetrics metrics,
      TaskScheduler scheduler,
      PreReleaseRead preReleaseRead,
      Executor lane) {
    this.operations = operations;
    this.calls = calls;
    this.scheduler = scheduler;
    this.metrics = metrics;
    this.preReleaseRead = preReleaseRead;
    this.lane = lane;
  }

  /** Tells the queue how urgent it is now; does nothing when no token is awaited. */
  void reprioritize(Priority priority) {
    if (waiting != null) {
      waiting.reprioritize(priority);
    }
  }

  /** How long a token has been awaited; empty when none is. */
  OptionalLong waitedNanos() {
    return waiting == null
        ? OptionalLong.empty()
        : OptionalLong.of(scheduler.time().nanos() - waitingNanos);
  }

  /** What opens {@code plan}; absent for a plan that changes nothing in the cloud now. */
  static Optional<List<CallKind>> opening(MaintenancePlan plan) {
    if (plan instanceof MaintenancePlan.Allocate allocate) {
      return Optional.of(allocate.action().firstCalls());
    }
    if (plan instanceof MaintenancePlan.CreateInterface create) {
      return Optional.of(create.action().firstCalls());
    }
    if (plan instanceof MaintenancePlan.AssignStaticAddress) {
      return Optional.of(List.of());
    }
    if (plan instanceof MaintenancePlan.Release release) {
      return release.releasable().map(action -> List.of(action.firstCall()));
    }
    if (plan instanceof MaintenancePlan.ReleaseCidrs cidrs) {
      return Optional.of(List.of(cidrs.actions().get(0).firstCall()));
    }
    return Optional.empty();
  }

  /**
   * Runs {@code plan}, for which {@link #opening} has an answer.
   *
   * @param again makes the plan anew, on the lane, when the token has come
   * @param context its deadline bounds the wait for the token
   * @param timeout bounds the work, from the token on
   * @return ends on the lane
   */
  CompletionStage<PassEnd> run(
      MaintenancePlan plan,
      Supplier<MaintenancePlan> again,
      CallContext context,
      Duration timeout) {
    List<CallKind> kinds = opening(plan).orElseThrow();
    if (kinds.isEmpty()) {
      return perform(plan, begun(context, timeout));
    }
    Admission admission = calls.admit(kinds, context);
    waiting = admission;
    waitingNanos = scheduler.time().nanos();
    return admission
        .stage()
        .thenComposeAsync(
            result -> {
              waiting = null;
              return result.match(
                  admitted ->
                      plan instanceof MaintenancePlan.ReleaseCidrs
                          ? lookAndPerform(again, admitted, timeout)
                          : performAgain(again, begun(admitted, timeout), false),
                  failure -> CompletableFuture.completedStage(new PassEnd.Failed(failure, false)));
            },
            lane);
  }

  /** The work begins now. */
  private CallContext begun(CallContext context, Duration timeout) {
    return context.until(scheduler.time().nanos() + timeout.toNanos());
  }

  private CompletionStage<PassEnd> lookAndPerform(
      Supplier<MaintenancePlan> again, CallContext admitted, Duration timeout) {
    if (admitted.isCancelled()) {
      admitted.giveBackToken();
      return REPLAN;
    }
    return preReleaseRead
        .now()
        .thenComposeAsync(looked -> performAgain(again, begun(admitted, timeout), looked), lane);
  }

  /** {@code looked}: the object was read a moment ago; no CIDR goes otherwise. */
  private CompletionStage<PassEnd> performAgain(
      Supplier<MaintenancePlan> again, CallContext admitted, boolean looked) {
    if (admitted.isCancelled()) {
      admitted.giveBackToken();
      return REPLAN;
    }
    MaintenancePlan plan = again.get();
    Optional<CallKind> token = admitted.token().map(CallToken::kind);
    boolean fits =
        opening(plan)
            .map(kinds -> token.isEmpty() || kinds.isEmpty() || kinds.contains(token.get()))
            .orElse(false);
    if (!fits || (plan instanceof MaintenancePlan.ReleaseCidrs && !looked)) {
      admitted.giveBackToken();
      return REPLAN;
    }
    return perform(plan, admitted).whenComplete((end, thrown) -> admitted.giveBackToken());
  }

  private CompletionStage<PassEnd> perform(MaintenancePlan plan, CallContext context) {
    if (plan instanceof MaintenancePlan.Allocate allocate) {
      return otherPathAdmitted(allocate.action(), context)
          ? createInterface(allocate.action(), context)
          : allocate(allocate.action(), context);
    }
    if (plan instanceof MaintenancePlan.CreateInterface create) {
      return createInterface(create.action(), context);
    }
    if (plan instanceof MaintenancePlan.AssignStaticAddress assign) {
      return ended(
          () -> operations.allocateStaticAddress(assign.tags(), context),
          context,
          PassMetrics.STATIC_ADDRESS,
          Optional.empty());
    }
    if (plan instanceof MaintenancePlan.ReleaseCidrs cidrs) {
      return release(cidrs.actions().get(0), context);
    }
    if (plan instanceof MaintenancePlan.Release release) {
      return release(release.releasable().orElseThrow(), context);
    }
    throw new IllegalStateException("not a plan that changes the cloud: " + plan);
  }

  /** The provider offered two paths, and the token is for the one that was not planned. */
  private static boolean otherPathAdmitted(AllocationAction action, CallContext context) {
    return action.emptyInterfaceSlots() > 0
        && context
            .token()
            .map(token -> !token.kind().equals(action.firstCalls().get(0)))
            .orElse(false);
  }

  private CompletionStage<PassEnd> allocate(AllocationAction action, CallContext context) {
    return ended(
        () -> operations.allocateIps(action, context),
        context,
        PassMetrics.ALLOCATE,
        action.pool());
  }

  private CompletionStage<PassEnd> createInterface(AllocationAction action, CallContext context) {
    return ended(
        () -> operations.createInterface(action, context),
        context,
        PassMetrics.CREATE_INTERFACE,
        action.pool());
  }

  private CompletionStage<PassEnd> ended(
      Supplier<CompletionStage<AllocationOutcome>> call,
      CallContext context,
      String type,
      Optional<PoolId> pool) {
    long start = metrics.now();
    return ProviderCall.until(context.deadlineNanos(), scheduler, call)
        .exceptionally(thrown -> new AllocationOutcome.Unknown(lost(thrown)))
        .thenApplyAsync(
            outcome -> {
              metrics.allocated(type, pool, outcome, start);
              return end(outcome);
            },
            lane);
  }

  private static Failure lost(Throwable thrown) {
    return ProviderCall.brokenPromise(Failure.Kind.LOST, thrown);
  }

  private static PassEnd end(AllocationOutcome outcome) {
    if (outcome instanceof AllocationOutcome.Allocated allocated) {
      return new PassEnd.Added(NodePublication.addresses(allocated.added()));
    }
    if (outcome instanceof AllocationOutcome.PoolExhausted exhausted) {
      return new PassEnd.NoRoom("pool " + exhausted.pool() + " is exhausted");
    }
    if (outcome instanceof AllocationOutcome.LimitReached limit) {
      Failure failure =
          Failure.of(Failure.Kind.CONFLICT, "limitReached", "the cloud's limit: " + limit.limit());
      return new PassEnd.Failed(failure, true);
    }
    if (outcome instanceof AllocationOutcome.InstanceNotRunning) {
      return new PassEnd.NotRunning();
    }
    if (outcome instanceof AllocationOutcome.Refused refused) {
      return refused(refused.failure());
    }
    return new PassEnd.Failed(((AllocationOutcome.Unknown) outcome).failure(), true);
  }

  private static PassEnd refused(Failure failure) {
    return switch (failure.kind()) {
      case NOT_RUNNING -> new PassEnd.NotRunning();
      case CAPACITY -> new PassEnd.NoRoom(failure.detail());
      case CONFLICT, NOT_FOUND, LOST -> new PassEnd.Failed(failure, true);
      case THROTTLED, TRANSIENT, CONFIGURATION, CANCELLED -> new PassEnd.Failed(failure, false);
    };
  }

  private CompletionStage<PassEnd> release(ReleaseAction action, CallContext context) {
    long start = metrics.now();
    return ProviderCall.until(
            context.deadlineNanos(), scheduler, () -> operations.release(action, context))
        .exceptionally(thrown -> new ReleaseOutcome.Unknown(lost(thrown)))
        .thenApplyAsync(
            outcome -> {
              metrics.released(action, outcome, start);
              return end(outcome);
            },
            lane);
  }

  private static PassEnd end(ReleaseOutcome outcome) {
    if (outcome instanceof ReleaseOutcome.Released released) {
      AddressSet addresses = released.addresses();
      Set<Cidr> cidrs = new TreeSet<>(released.blocks());
      for (Cidr block : released.blocks()) {
        addresses = addresses.plus(AddressSet.ofRange(block));
      }
      released.addresses().forEach(address -> cidrs.add(Cidr.of(address, address.family().bits())));
      return new PassEnd.GivenBack(addresses, cidrs, released.rest());
    }
    if (outcome instanceof ReleaseOutcome.NothingReleased nothing) {
      return refused(nothing.failure());
    }
    return new PassEnd.Failed(((ReleaseOutcome.Unknown) outcome).failure(), true);
  }
}
