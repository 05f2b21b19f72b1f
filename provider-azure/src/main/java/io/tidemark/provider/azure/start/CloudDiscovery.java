package io.tidemark.provider.azure.start;

import io.tidemark.provider.azure.identity.AzureCloud;
import io.tidemark.provider.azure.ipam.AzureError;
import io.tidemark.provider.kit.start.MetadataUnavailable;
import io.tidemark.provider.kit.start.Startup;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallLimits;
import io.tidemark.resilience.CallPolicy;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Priority;
import io.tidemark.spi.OperatorNotices;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out in which cloud the nodes are (Z48): the configured one, else the one of the machine
 * that we run on, else the public one. If it is configured, no request is sent. Thread-safe.
 */
public final class CloudDiscovery {
  private static final Logger LOG = LoggerFactory.getLogger(CloudDiscovery.class);

  /** Where nothing answers, nobody waits longer than this. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final CallKind KIND = new CallKind("InstanceMetadata", CallKind.Effect.READ);

  /** Nothing answers there. */
  private static final String SILENT = "metadataSilent";

  /** Longer than the two seconds that the client gives the service. */
  private static final CallLimits LIMITS = new CallLimits(10, 10, Duration.ofSeconds(5), 1);

  private final Optional<AzureCloud> configured;
  private final Callable<String> metadata;
  private final CloudCalls calls;
  private final TaskScheduler scheduler;
  private final OperatorNotices notices;
  private final Cancellation shutdown;
  private final Startup<AzureCloud> startup = new Startup<>(this::discover);

  /**
   * Makes no request yet.
   *
   * @param configured empty to ask {@code metadata}
   * @param metadata the name of the cloud: one request, {@link HttpAzureMetadataJson#cloudName}
   * @param calls made of {@link #policy}
   * @param notices receives a notice if a cloud is assumed
   * @param shutdown ends what is under way
   */
  public CloudDiscovery(
      Optional<AzureCloud> configured,
      Callable<String> metadata,
      CloudCalls calls,
      TaskScheduler scheduler,
      OperatorNotices notices,
      Cancellation shutdown) {
    this.configured = configured;
    this.metadata = metadata;
    this.calls = calls;
    this.scheduler = scheduler;
    this.notices = notices;
    this.shutdown = shutdown;
  }

  /**
   * The call policy of the metadata service: an account of its own, so that its breaker is its own.
   */
  public static CallPolicy policy() {
    return new CallPolicy("metadata", Map.of(KIND, LIMITS), CloudDiscovery::meaning);
  }

  /** Nothing is lost by asking again. */
  private static Failure meaning(CallKind kind, Throwable thrown) {
    boolean silent = thrown instanceof MetadataUnavailable unavailable && unavailable.isSilent();
    return Failure.of(
        Failure.Kind.TRANSIENT,
        silent ? SILENT : "metadataUnusable",
        kind + ": " + (thrown instanceof MetadataUnavailable ? thrown.getMessage() : thrown));
  }

  /** The discovery itself, which requests wait for. */
  public Startup<AzureCloud> startup() {
    return startup;
  }

  private CompletionStage<CallResult<AzureCloud>> discover() {
    if (configured.isPresent()) {
      return CallResult.answered(configured.get());
    }
    CallContext context =
        CallContext.within(PATIENCE, scheduler.time(), "", Priority.Rank.REPAIR, shutdown);
    return calls
        .call(KIND, context, attempt -> metadata.call())
        .thenApply(result -> result.match(this::named, this::unnamed));
  }

  private CallResult<AzureCloud> named(String name) {
    Optional<AzureCloud> known = AzureCloud.ofName(name);
    if (known.isEmpty()) {
      return new CallResult.Failed<>(
          Failure.of(
              Failure.Kind.CONFIGURATION,
              "unknownCloud",
              "the metadata service names the cloud "
                  + name
                  + ", which is unknown; set azure-cloud"));
    }
    LOG.info("The cloud was read from the machine's metadata. cloud={}", known.get().name());
    return new CallResult.Answered<>(known.get());
  }

  /** That nothing answers is an answer; that something answers anything else is none. */
  private CallResult<AzureCloud> unnamed(Failure failure) {
    if (!failure.condition().equals(SILENT)) {
      return new CallResult.Failed<>(failure);
    }
    AzureCloud assumed = AzureCloud.KNOWN.get(0);
    LOG.warn(
        "No metadata service answers, so the cloud is assumed. Set azure-cloud. cloud={} cause={}",
        assumed.name(),
        failure.detail());
    notices.report(AzureError.CLOUD_ASSUMED, assumed.name() + " is assumed: " + failure.detail());
    return new CallResult.Answered<>(assumed);
  }
}
