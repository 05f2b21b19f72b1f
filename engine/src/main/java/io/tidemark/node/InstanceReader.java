package io.tidemark.node;

import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Priority;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.time.Cancellable;
import io.tidemark.time.Trigger;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one instance anew when the cache cannot be trusted: after a lost or contradictory answer
 * (node-manager 13 D-2), and once per episode when the instance is missing (C-21, D-10). Confined
 * to the node's lane, but for {@link #isIdle} and {@link #close}.
 */
final class InstanceReader {
  private static final Logger LOG = LoggerFactory.getLogger(InstanceReader.class);
  private static final CompletionStage<Void> DONE = CompletableFuture.completedStage(null);

  private final String name;
  private final InstanceId instanceId;
  private final NodeEnvironment environment;
  private final Cancellation cancellation;
  private final Executor lane;
  private final Runnable read;
  private final Trigger trigger;
  private Freshness freshness = Freshness.TRUSTED;
  private int readsBegun;
  private MissingAddresses.Read lastRead = MissingAddresses.Read.NONE;
  private int requiredRead;
  private boolean askedThisEpisode;
  private int failures;
  private @Nullable Cancellable retry;

  /** {@code read} is called on the lane after every read, successful or not. */
  InstanceReader(
      String name,
      InstanceId instanceId,
      NodeEnvironment environment,
      Cancellation cancellation,
      Executor lane,
      Runnable read) {
    this.name = name;
    this.instanceId = instanceId;
    this.environment = environment;
    this.cancellation = cancellation;
    this.lane = lane;
    this.read = read;
    this.trigger =
        Trigger.ofStages(environment.triggers().instanceSync(), lane, reasons -> readInstance());
  }

  /** Reads now. */
  void request(String reason) {
    trigger.trigger(reason);
  }

  /** No decision may be made before the cloud was read after what {@code inventory} holds. */
  void readBack(Inventory inventory) {
    freshness =
        inventory.match(
            known -> Freshness.requiring(known.generation()),
            missing -> Freshness.TRUSTED,
            limits -> Freshness.TRUSTED,
            untouchable -> Freshness.TRUSTED);
    trigger.trigger("read back");
  }

  /** No decision may be made before a read of this instance that begins from now on. */
  void readAnew() {
    requiredRead = readsBegun + 1;
    trigger.trigger("read anew");
  }

  /** This moment, between the reads that have begun and those to come. */
  MissingAddresses.Read moment() {
    return new MissingAddresses.Read(readsBegun, environment.now());
  }

  /** The last read that ended well. */
  MissingAddresses.Read lastRead() {
    return lastRead;
  }

  /** A full scan that began at {@code startedGeneration} arrived. */
  void scanned(long startedGeneration) {
    freshness = freshness.synced(startedGeneration);
  }

  /**
   * The cache does not hold the instance; asks once, unless the cloud itself denied it. A read that
   * fails is repeated after its own pause.
   */
  void missing(boolean authoritative) {
    if (!askedThisEpisode && !authoritative && environment.readiness().isReady()) {
      askedThisEpisode = true;
      trigger.trigger("instance missing");
    }
  }

  /** The cache holds the instance; a later absence is a new episode. */
  void found() {
    askedThisEpisode = false;
  }

  /** Why no decision may be made now. */
  Optional<Blocked> blocked() {
    if (freshness.stale()) {
      return Optional.of(
          new Blocked(BlockedReason.READING_BACK, "an answer of the cloud was lost or surprising"));
    }
    return requiredRead > 0
        ? Optional.of(new Blocked(BlockedReason.READING_BACK, "what others did is being read"))
        : Optional.empty();
  }

  /** Whether a read is due. */
  boolean isWaiting() {
    return freshness.stale() || requiredRead > 0 || retry != null;
  }

  /** Whether no read is queued or running; any thread. */
  boolean isIdle() {
    return trigger.isIdle();
  }

  /** Ends it; any thread. */
  void close() {
    trigger.shutdown();
    lane.execute(this::cancelRetry);
  }

  private CompletionStage<?> readInstance() {
    if (cancellation.isCancelled()) {
      return DONE;
    }
    cancelRetry();
    readsBegun++;
    MissingAddresses.Read began = moment();
    long deadline = began.nanos() + environment.config().engine().passTimeout().toNanos();
    CallContext context =
        CallContext.of(name, Priority.of(Priority.Rank.VERIFY), deadline, cancellation);
    return ProviderCall.until(
            deadline,
            environment.ports().scheduler(),
            () -> environment.ports().provider().instanceSync(instanceId, context))
        .exceptionally(
            thrown ->
                new SyncOutcome.Failed(ProviderCall.brokenPromise(Failure.Kind.TRANSIENT, thrown)))
        .thenAcceptAsync(outcome -> ended(outcome, began), lane);
  }

  private void ended(SyncOutcome outcome, MissingAddresses.Read began) {
    if (cancellation.isCancelled()) {
      return;
    }
    if (!(outcome instanceof SyncOutcome.Failed) && began.number() >= requiredRead) {
      requiredRead = 0;
    }
    if (outcome instanceof SyncOutcome.Synced synced) {
      failures = 0;
      lastRead = began;
      freshness = freshness.synced(synced.startedGeneration());
      if (freshness.stale()) {
        trigger.trigger("the read began too early");
      }
    } else if (outcome instanceof SyncOutcome.InstanceNotFound) {
      failures = 0;
      freshness = Freshness.TRUSTED;
      LOG.warn("The cloud does not know the instance. node={} instance={}", name, instanceId);
    } else if (outcome instanceof SyncOutcome.Failed failed) {
      tryAgainLater(failed.failure());
    }
    read.run();
  }

  private void tryAgainLater(Failure failure) {
    if (failure.kind() == Failure.Kind.CANCELLED) {
      return;
    }
    failures++;
    Duration pause = Duration.ofNanos(environment.backoffNanos(failures));
    LOG.debug(
        "Reading the instance failed; trying again. node={} pause={} kind={} detail={}",
        name,
        pause,
        failure.kind(),
        failure.detail());
    cancelRetry();
    retry =
        environment
            .ports()
            .scheduler()
            .after(pause, () -> lane.execute(() -> trigger.trigger("read again")));
  }

  private void cancelRetry() {
    if (retry != null) {
      retry.cancel();
      retry = null;
    }
  }
}
