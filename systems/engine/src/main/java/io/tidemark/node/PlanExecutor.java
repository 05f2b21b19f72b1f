package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
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
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out a plan that changes the cloud: waits for a token, hands the plan that is made then to
 * the provider, counts and reads the outcome (docs/architecture.md, "plan, token, plan again,
 * call"). Used on the node's lane, one run at a time.
 */
final class PlanExecutor {
  sealed interface Result {
    /** Whether the cloud itself says that it, or the instance, has no room for more. */
    default boolean isRefusalForRoom() {
      return this instanceof NoRoom
          || (this instanceof Failed it && it.failure().condition().equals(LIMIT_REACHED));
    }

    /**
     * Something was added, or a static address associated.
     *
     * @param addresses singles, and blocks expanded
     */
    record Added(AddressSet addresses) implements Result {}

    /**
     * Something was given back.
     *
     * @param addresses singles, and blocks expanded
     * @param cidrs the same as CIDRs
     */
    record GivenBack(AddressSet addresses, Set<Cidr> cidrs, Optional<Failure> rest)
        implements Result {}

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

  /** The longest that a pass waits for its turn; the next one begins at the end of the line. */
  private static final Duration LONGEST_QUEUE = Duration.ofHours(1);

  private static final Logger LOG = LoggerFactory.getLogger(PlanExecutor.class);
  private static final String CREATE_INTERFACE = "createInterfaceAndAllocateIP";
  private static final String SUCCESS = "success";
  private static final String LIMIT_REACHED = "limitReached";
  private static final String FAILED = "failed";

  private final NodeParts node;
  private final NodeEnvironment environment;
  private final CloudCalls calls;
  private @Nullable Admission waiting;
  private long waitingNanos;

  PlanExecutor(NodeParts node) {
    this.node = node;
    this.environment = node.environment();
    this.calls = environment.ports().provider().calls();
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
        : OptionalLong.of(environment.now() - waitingNanos);
  }

  /**
   * Waits for a token for {@code plan}, which has an {@link MaintenancePlan#opening opening}.
   *
   * @return ends on the lane, with a context that carries the token
   */
  CompletionStage<CallResult<CallContext>> admit(MaintenancePlan plan, Priority priority) {
    LOG.debug("Changing the cloud. node={} plan={}", node.name(), plan);
    long now = environment.now();
    CallContext context =
        CallContext.of(node.name(), priority, now + LONGEST_QUEUE.toNanos(), node.cancellation());
    List<CallKind> kinds = plan.opening().orElseThrow();
    if (kinds.isEmpty()) {
      return CallResult.answered(context);
    }
    Admission admission = calls.admit(kinds, context);
    waiting = admission;
    waitingNanos = now;
    return admission
        .stage()
        .thenApplyAsync(
            result -> {
              waiting = null;
              return result;
            },
            node.lane());
  }

  /** Sends nothing; the token is given back. */
  static CompletionStage<Result> replan(CallContext admitted) {
    admitted.giveBackToken();
    return CompletableFuture.completedStage(new Result.Replan());
  }

  /**
   * Carries out {@code plan}, which changes the cloud, or sends nothing when the token is not for
   * it. The token is given back when it was not used.
   *
   * @return ends on the lane
   */
  CompletionStage<Result> perform(MaintenancePlan plan, CallContext admitted) {
    Optional<CallKind> token = admitted.token().map(CallToken::kind);
    boolean fits =
        plan.opening()
            .map(kinds -> token.isEmpty() || kinds.isEmpty() || kinds.contains(token.get()))
            .orElse(false);
    if (!fits) {
      return replan(admitted);
    }
    Duration timeout = environment.config().maintenance().passTimeout();
    return perform(admitted.until(environment.now() + timeout.toNanos()), plan)
        .whenComplete((end, thrown) -> admitted.giveBackToken());
  }

  private CompletionStage<Result> perform(CallContext context, MaintenancePlan plan) {
    NodeOperations operations = node.operations();
    if (plan instanceof MaintenancePlan.Allocate allocate) {
      AllocationAction action = allocate.action();
      return otherPathAdmitted(action, context)
          ? create(action, context)
          : added(
              "allocateIP", action.pool(), context, () -> operations.allocateIps(action, context));
    }
    if (plan instanceof MaintenancePlan.CreateInterface create) {
      return create(create.action(), context);
    }
    if (plan instanceof MaintenancePlan.AssignStaticAddress assign) {
      return added(
          "allocateStaticIp",
          Optional.empty(),
          context,
          () -> operations.allocateStaticAddress(assign.tags(), context));
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

  private CompletionStage<Result> create(AllocationAction action, CallContext context) {
    return added(
        CREATE_INTERFACE,
        action.pool(),
        context,
        () -> node.operations().createInterface(action, context));
  }

  private CompletionStage<Result> added(
      String type,
      Optional<PoolId> pool,
      CallContext context,
      Supplier<CompletionStage<AllocationOutcome>> call) {
    long start = environment.now();
    return environment
        .ask(context.deadlineNanos(), Failure.Kind.LOST, AllocationOutcome.Unknown::new, call)
        .thenApplyAsync(
            outcome -> {
              count(type, pool.map(PoolId::text).orElse(""), outcome, start);
              return end(outcome);
            },
            node.lane());
  }

  private void count(String type, String subnet, AllocationOutcome outcome, long start) {
    if (outcome instanceof AllocationOutcome.InstanceNotRunning) {
      return; // not a failed attempt (node-manager 3.10)
    }
    Meters metrics = environment.ports().metrics();
    metrics.record(
        Metric.ALLOCATION_DURATION, environment.since(start), type, status(type, outcome), subnet);
    if (outcome instanceof AllocationOutcome.Allocated allocated) {
      if (allocated.addresses() > 0) {
        metrics.gauge(Metric.IP_ALLOCATION_OPS, subnet).add(allocated.addresses());
      }
      if (allocated.created().isPresent()) {
        metrics.gauge(Metric.INTERFACE_CREATION_OPS, subnet).add(1);
      }
    }
  }

  /** A new interface's failure carries the provider's condition, others are {@code failed}. */
  private static String status(String type, AllocationOutcome outcome) {
    if (outcome instanceof AllocationOutcome.Allocated) {
      return SUCCESS;
    }
    if (!type.equals(CREATE_INTERFACE)) {
      return FAILED;
    }
    if (outcome instanceof AllocationOutcome.Refused refused) {
      return refused.failure().condition();
    }
    if (outcome instanceof AllocationOutcome.Unknown unknown) {
      return unknown.failure().condition();
    }
    return outcome instanceof AllocationOutcome.PoolExhausted ? "poolExhausted" : LIMIT_REACHED;
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
          Failure.of(Failure.Kind.CONFLICT, LIMIT_REACHED, "the cloud's limit: " + limit.limit());
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
    long start = environment.now();
    return environment
        .ask(
            context.deadlineNanos(),
            Failure.Kind.LOST,
            ReleaseOutcome.Unknown::new,
            () -> node.operations().release(action, context))
        .thenApplyAsync(
            outcome -> {
              Result end = end(outcome);
              count(action, end, start);
              return end;
            },
            node.lane());
  }

  private void count(ReleaseAction action, Result end, long start) {
    Meters metrics = environment.ports().metrics();
    String subnet = action.pool().map(PoolId::text).orElse("");
    metrics.record(
        Metric.RELEASE_DURATION,
        environment.since(start),
        action.blocks().isEmpty() ? "releaseIP" : "releaseIPPrefixes",
        end instanceof Result.GivenBack ? SUCCESS : FAILED,
        subnet);
    if (end instanceof Result.GivenBack back) {
      metrics.gauge(Metric.IP_RELEASE_OPS, subnet).add(back.addresses().size());
    }
  }

  private static Result end(ReleaseOutcome outcome) {
    if (outcome instanceof ReleaseOutcome.Released released) {
      AddressSet addresses = released.addresses();
      Set<Cidr> cidrs = new TreeSet<>(released.blocks());
      for (Cidr block : released.blocks()) {
        addresses = addresses.plus(AddressSet.ofRange(block));
      }
      released.addresses().forEach(address -> cidrs.add(Cidr.of(address, address.family().bits())));
      return new Result.GivenBack(addresses, Set.copyOf(cidrs), released.rest());
    }
    if (outcome instanceof ReleaseOutcome.NothingReleased nothing) {
      return refused(nothing.failure());
    }
    return new Result.Failed(((ReleaseOutcome.Unknown) outcome).failure(), true);
  }
}
