package io.tidemark.daemon.machine;

import io.tidemark.agent.crd.CrdMode;
import io.tidemark.provider.kit.start.MetadataClient;
import io.tidemark.provider.kit.start.MetadataUnavailable;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The cloud's metadata service about this instance. Every call blocks. */
final class MachineMetadata {
  private static final Logger LOG = LoggerFactory.getLogger(MachineMetadata.class);
  private static final int ATTEMPTS = 3;
  private static final Duration TIMEOUT = Duration.ofSeconds(1);
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final String TOKEN_SECONDS = "60";

  private final MetadataClient client;

  MachineMetadata(URI endpoint) {
    this(endpoint, TIMEOUT);
  }

  /**
   * Sends nothing yet.
   *
   * @param timeout of each request
   */
  MachineMetadata(URI endpoint, Duration timeout) {
    this.client = new MetadataClient(endpoint, timeout, "Set instance-id.");
  }

  /** The id as the node's object has it; empty, with a warning, when it cannot be read. */
  Optional<String> instanceId(CrdMode mode) throws InterruptedException {
    String cause = "";
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      try {
        return Optional.of(mode == CrdMode.AZURE ? ofAzure() : ofEc2());
      } catch (MetadataUnavailable e) {
        cause = String.valueOf(e.getMessage());
      }
      if (attempt < ATTEMPTS) {
        TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
      }
    }
    LOG.warn(
        "The id of this instance is not known: the object of an earlier instance of the same name"
            + " cannot be told from its own. cause={}",
        cause);
    return Optional.empty();
  }

  /** Version 2 of the service: a token first. */
  private String ofEc2() throws MetadataUnavailable {
    String token =
        client.accepted(
            client.send(
                "PUT",
                "/latest/api/token",
                Map.of("X-aws-ec2-metadata-token-ttl-seconds", TOKEN_SECONDS)));
    return id("/latest/meta-data/instance-id", Map.of("X-aws-ec2-metadata-token", token));
  }

  /** The id of the resource; {@code vmId} is another one. */
  private String ofAzure() throws MetadataUnavailable {
    return id(
        "/metadata/instance/compute/resourceId?api-version=2021-02-01&format=text",
        Map.of("Metadata", "true"));
  }

  private String id(String path, Map<String, String> headers) throws MetadataUnavailable {
    String id = client.accepted(client.send("GET", path, headers));
    if (id.isEmpty() || id.chars().anyMatch(each -> each <= ' ' || each > '~')) {
      throw MetadataUnavailable.unusable(client.name() + " answers no id");
    }
    return id;
  }
}
