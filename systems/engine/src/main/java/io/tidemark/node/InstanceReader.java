package io.tidemark.node;

import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Priority;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.time.Cancellable;
import io.tidemark.time.Trigger;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one instance anew when the cache cannot be trusted: after a lost or contradictory answer
 * (node-manager 13 D-2), and once per episode when the instance is missing (C-21, D-10). Confined
 * to the node's lane, but for {@link #close}.
 */
final class InstanceReader {
  private static final Logger LOG = LoggerFactory.getLogger(InstanceReader.class);
  private static final long NOTHING_REQUIRED = Long.MIN_VALUE;
  private static final CompletionStage<Void> DONE = CompletableFuture.completedStage(null);

  private final NodeParts node;
  private final NodeEnvironment environment;
  private final Trigger reads;

  /** A read must have begun at this value of the provider's counter or later (13 D-2). */
  private long requiredGeneration = NOTHING_REQUIRED;

  private int readsBegun;
  private MissingAddresses.Read lastRead = MissingAddresses.Read.NONE;
  private int requiredRead;
  private boolean askedThisEpisode;
  private boolean underWay;
  private int failures;
  private @Nullable Cancellable retry;

  /** {@code reads} asks for a {@link #read}, and is asked by this reader where one is due. */
  InstanceReader(NodeParts node, Trigger reads) {
    this.node = node;
    this.environment = node.environment();
    this.reads = reads;
  }

  void request(String reason) {
    reads.trigger(reason);
  }

  /** No decision may be made before the cloud was read after what {@code inventory} holds. */
  void readBack(Inventory inventory) {
    requiredGeneration =
        inventory instanceof Inventory.Known known ? known.generation() : NOTHING_REQUIRED;
    reads.trigger("read back");
  }

  /** No decision may be made before a read of this instance that begins from now on. */
  void readAnew() {
    requiredRead = readsBegun + 1;
    reads.trigger("read anew");
  }

  /** This moment, between the reads that have begun and those to come. */
  MissingAddresses.Read moment() {
    return new MissingAddresses.Read(readsBegun, environment.now());
  }

  MissingAddresses.Read lastRead() {
    return lastRead;
  }

  /** A read that began at {@code startedGeneration}, of the instance or of all, has ended well. */
  void synced(long startedGeneration) {
    if (startedGeneration >= requiredGeneration) {
      requiredGeneration = NOTHING_REQUIRED;
    }
  }

  private boolean isStale() {
    return requiredGeneration != NOTHING_REQUIRED;
  }

  /**
   * The cache does not hold the instance; asks once, unless the cloud itself denied it. A read that
   * fails is repeated after its own pause.
   */
  void missing(boolean authoritative) {
    if (!askedThisEpisode && !authoritative && environment.readiness().isReady()) {
      askedThisEpisode = true;
      reads.trigger("instance missing");
    }
  }

  /** The cache holds the instance; a later absence is a new episode. */
  void found() {
    askedThisEpisode = false;
  }

  Optional<Blocked> blocked() {
    if (underWay) {
      return Optional.of(
          new Blocked(BlockedReason.READING_BACK, "the cloud still carries out an operation"));
    }
    if (isStale()) {
      return Optional.of(
          new Blocked(BlockedReason.READING_BACK, "an answer of the cloud was lost or surprising"));
    }
    return requiredRead > 0
        ? Optional.of(new Blocked(BlockedReason.READING_BACK, "what others did is being read"))
        : Optional.empty();
  }

  boolean isWaiting() {
    return isStale() || requiredRead > 0 || retry != null;
  }

  /** Ends it; any thread. */
  void close() {
    reads.shutdown();
    node.lane().execute(this::cancelRetry);
  }

  /** One read; ends on the lane. */
  CompletionStage<?> read() {
    if (node.cancellation().isCancelled()) {
      return DONE;
    }
    cancelRetry();
    readsBegun++;
    MissingAddresses.Read began = moment();
    long deadline = began.nanos() + environment.config().maintenance().passTimeout().toNanos();
    CallContext context =
        CallContext.of(
            node.name(), Priority.of(Priority.Rank.VERIFY), deadline, node.cancellation());
    return environment
        .<SyncOutcome>ask(
            deadline,
            Failure.Kind.TRANSIENT,
            SyncOutcome.Failed::new,
            () -> environment.ports().provider().instanceSync(node.instanceId(), context))
        .thenAcceptAsync(outcome -> ended(outcome, began), node.lane());
  }

  private void ended(SyncOutcome outcome, MissingAddresses.Read began) {
    if (node.cancellation().isCancelled()) {
      return;
    }
    underWay = outcome instanceof SyncOutcome.Failed failure && failure.isUnderWay();
    if (!(outcome instanceof SyncOutcome.Failed) && began.number() >= requiredRead) {
      requiredRead = 0;
    }
    if (outcome instanceof SyncOutcome.Synced synced) {
      failures = 0;
      lastRead = began;
      synced(synced.startedGeneration());
      if (isStale()) {
        reads.trigger("the read began too early");
      }
    } else if (outcome instanceof SyncOutcome.InstanceNotFound) {
      failures = 0;
      requiredGeneration = NOTHING_REQUIRED;
      LOG.warn(
          "The cloud does not know the instance. node={} instance={}",
          node.name(),
          node.instanceId());
    } else if (outcome instanceof SyncOutcome.Failed failed) {
      tryAgainLater(failed.failure());
    }
  }

  private void tryAgainLater(Failure failure) {
    if (failure.kind() == Failure.Kind.CANCELLED) {
      return;
    }
    Duration pause = Duration.ofNanos(environment.backoffNanos(underWay ? 1 : ++failures));
    LOG.debug(
        "Reading the instance failed; trying again. node={} pause={} kind={} detail={}",
        node.name(),
        pause,
        failure.kind(),
        failure.detail());
    cancelRetry();
    retry =
        environment
            .ports()
            .scheduler()
            .after(pause, () -> node.lane().execute(() -> reads.trigger("read again")));
  }

  private void cancelRetry() {
    if (retry != null) {
      retry.cancel();
      retry = null;
    }
  }
}
