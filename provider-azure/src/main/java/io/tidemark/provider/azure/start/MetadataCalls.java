package io.tidemark.provider.azure.start;

import io.tidemark.provider.kit.start.MetadataUnavailable;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallLimits;
import io.tidemark.resilience.CallPolicy;
import io.tidemark.resilience.Failure;
import java.time.Duration;
import java.util.Map;

/** Requests to the metadata service: a door of their own, so that its breaker is its own. */
public final class MetadataCalls {
  /** To the metadata service of the machine that we run on. */
  public static final CallKind KIND = new CallKind("InstanceMetadata", CallKind.Effect.READ);

  /** Nothing answers there. */
  static final String SILENT = "metadataSilent";

  /** Longer than the two seconds that the client gives the service. */
  private static final CallLimits LIMITS = new CallLimits(10, 10, Duration.ofSeconds(5), 1);

  private MetadataCalls() {}

  /** The call policy of the metadata service. */
  public static CallPolicy policy() {
    return new CallPolicy(
        "metadata", Map.of(KIND, LIMITS), (kind, thrown) -> meaning(kind, thrown));
  }

  /** Nothing is lost by asking again. */
  private static Failure meaning(CallKind kind, Throwable thrown) {
    boolean silent = thrown instanceof MetadataUnavailable unavailable && unavailable.isSilent();
    return Failure.of(
        Failure.Kind.TRANSIENT,
        silent ? SILENT : "metadataUnusable",
        kind + ": " + (thrown instanceof MetadataUnavailable ? thrown.getMessage() : thrown));
  }
}
