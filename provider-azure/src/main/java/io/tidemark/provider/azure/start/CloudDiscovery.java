package io.tidemark.provider.azure.start;

import io.tidemark.provider.azure.identity.AzureCloud;
import io.tidemark.provider.azure.ipam.AzureError;
import io.tidemark.provider.azure.metadata.AzureMetadata;
import io.tidemark.provider.kit.start.Startup;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Priority;
import io.tidemark.spi.OperatorNotices;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.Optional;
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

  private final Optional<AzureCloud> configured;
  private final AzureMetadata metadata;
  private final CloudCalls calls;
  private final TaskScheduler scheduler;
  private final OperatorNotices notices;
  private final Cancellation shutdown;
  private final Startup<AzureCloud> startup = new Startup<>(this::discover);

  /**
   * Makes no request yet.
   *
   * @param configured empty to ask {@code metadata}
   * @param calls made of {@link MetadataCalls#policy}
   * @param notices receives a notice if a cloud is assumed
   * @param shutdown ends what is under way
   */
  public CloudDiscovery(
      Optional<AzureCloud> configured,
      AzureMetadata metadata,
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
        .call(MetadataCalls.KIND, context, attempt -> metadata.cloudName())
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
    if (!failure.condition().equals(MetadataCalls.SILENT)) {
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
