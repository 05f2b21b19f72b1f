package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.resilience.Admission;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.CallToken;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Priority;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries out a plan that changes the cloud: waits for a token, has the plan made again, hands it
 * to the provider, reads the outcome (docs/architecture.md, "plan, token, plan again, call"). Used
 * on the node's lane, one run at a time.
 */
final class PlanExecutor {
  /** How the work of a pass ended. */
  sealed interface Result {
    /**
     * Something was added, or a static address associated.
     *
     * @param addresses singles, and blocks expanded
     */
    record Added(AddressSet addresses) implements Result {
      public Added {
        Objects.requireNonNull(addresses, "addresses");
      }
    }

    /**
     * Something was given back.
     *
     * @param addresses singles, and blocks expanded
     * @param cidrs the same as CIDRs
     */
    record GivenBack(AddressSet addresses, Set<Cidr> cidrs, Optional<Failure> rest)
        implements Result {
      public GivenBack {
        Objects.requireNonNull(addresses, "addresses");
        cidrs = Set.copyOf(cidrs);
        Objects.requireNonNull(rest, "rest");
      }
    }

    /** Nothing was sent: by the time the token came, the plan had changed. */
    record Replan() implements Result {}

    /** Nothing changed and the cloud has no room where we asked; the provider knows that now. */
    record NoRoom(String detail) implements Result {}

    /** Nothing changed and the instance is stopped. */
    record NotRunning() implements Result {}

    /**
     * It did not work.
     *
     * @param readBack the cloud must be read before the next decision
     */
    record Failed(Failure failure, boolean readBack) implements Result {}
  }

  private final NodeParts node;
  private final CloudCalls calls;
  private final PassMetrics metrics;
  private final TaskScheduler scheduler;
  private @Nullable Admission waiting;
  private long waitingNanos;

  PlanExecutor(NodeParts node) {
    NodeManagerPorts ports = node.environment().ports();
    this.node = node;
    this.calls = ports.provider().calls();
    this.scheduler = ports.scheduler();
    this.metrics = new PassMetrics(ports.metrics(), scheduler.time());
  }

  /** Tells the queue how urgent the node is now; does nothing when no token is awaited. */
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

  /**
   * Waits for a token that one of {@code kinds} needs.
   *
   * @param context its deadline bounds the wait
   * @return ends on the lane, with a context that carries the token
   */
  CompletionStage<CallResult<CallContext>> admit(List<CallKind> kinds, CallContext context) {
    if (kinds.isEmpty()) {
      return CompletableFuture.completedStage(new CallResult.Answered<>(context));
    }
    Admission admission = calls.admit(kinds, context);
    waiting = admission;
    waitingNanos = scheduler.time().nanos();
    return admission
        .stage()
        .thenApplyAsync(
            result -> {
              waiting = null;
              return result;
            },
            node.lane());
  }

  /**
   * Carries out {@code plan}, which changes the cloud, or sends nothing when the token is not for
   * it. The token is given back when it was not used.
   *
   * @return ends on the lane
   */
  CompletionStage<Result> perform(MaintenancePlan plan, CallContext admitted, Duration timeout) {
    Optional<CallKind> token = admitted.token().map(CallToken::kind);
    boolean fits =
        plan.opening()
            .map(kinds -> token.isEmpty() || kinds.isEmpty() || kinds.contains(token.get()))
            .orElse(false);
    if (!fits) {
      admitted.giveBackToken();
      return CompletableFuture.completedStage(new Result.Replan());
    }
    return perform(plan, admitted.until(scheduler.time().nanos() + timeout.toNanos()))
        .whenComplete((end, thrown) -> admitted.giveBackToken());
  }

  private CompletionStage<Result> perform(MaintenancePlan plan, CallContext context) {
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
          () -> node.operations().allocateStaticAddress(assign.tags(), context),
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

  private CompletionStage<Result> allocate(AllocationAction action, CallContext context) {
    return ended(
        () -> node.operations().allocateIps(action, context),
        context,
        PassMetrics.ALLOCATE,
        action.pool());
  }

  private CompletionStage<Result> createInterface(AllocationAction action, CallContext context) {
    return ended(
        () -> node.operations().createInterface(action, context),
        context,
        PassMetrics.CREATE_INTERFACE,
        action.pool());
  }

  private CompletionStage<Result> ended(
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
            node.lane());
  }

  private static Failure lost(Throwable thrown) {
    return ProviderCall.brokenPromise(Failure.Kind.LOST, thrown);
  }

  private static Result end(AllocationOutcome outcome) {
    if (outcome instanceof AllocationOutcome.Allocated allocated) {
      return new Result.Added(AttachedInterface.addressesOf(allocated.added()));
    }
    if (outcome instanceof AllocationOutcome.PoolExhausted exhausted) {
      return new Result.NoRoom("pool " + exhausted.pool() + " is exhausted");
    }
    if (outcome instanceof AllocationOutcome.LimitReached limit) {
      Failure failure =
          Failure.of(Failure.Kind.CONFLICT, "limitReached", "the cloud's limit: " + limit.limit());
      return new Result.Failed(failure, true);
    }
    if (outcome instanceof AllocationOutcome.InstanceNotRunning) {
      return new Result.NotRunning();
    }
    if (outcome instanceof AllocationOutcome.Refused refused) {
      return refused(refused.failure());
    }
    return new Result.Failed(((AllocationOutcome.Unknown) outcome).failure(), true);
  }

  private static Result refused(Failure failure) {
    return switch (failure.kind()) {
      case NOT_RUNNING -> new Result.NotRunning();
      case CAPACITY -> new Result.NoRoom(failure.detail());
      case CONFLICT, NOT_FOUND, LOST -> new Result.Failed(failure, true);
      case THROTTLED, TRANSIENT, CONFIGURATION, CANCELLED -> new Result.Failed(failure, false);
    };
  }

  private CompletionStage<Result> release(ReleaseAction action, CallContext context) {
    long start = metrics.now();
    return ProviderCall.until(
            context.deadlineNanos(), scheduler, () -> node.operations().release(action, context))
        .exceptionally(thrown -> new ReleaseOutcome.Unknown(lost(thrown)))
        .thenApplyAsync(
            outcome -> {
              metrics.released(action, outcome, start);
              return end(outcome);
            },
            node.lane());
  }

  private static Result end(ReleaseOutcome outcome) {
    if (outcome instanceof ReleaseOutcome.Released released) {
      AddressSet addresses = released.addresses();
      Set<Cidr> cidrs = new TreeSet<>(released.blocks());
      for (Cidr block : released.blocks()) {
        addresses = addresses.plus(AddressSet.ofRange(block));
      }
      released.addresses().forEach(address -> cidrs.add(Cidr.of(address, address.family().bits())));
      return new Result.GivenBack(addresses, cidrs, released.rest());
    }
    if (outcome instanceof ReleaseOutcome.NothingReleased nothing) {
      return refused(nothing.failure());
    }
    return new Result.Failed(((ReleaseOutcome.Unknown) outcome).failure(), true);
  }
}
