package io.tidemark.provider.aws.metadata;

import io.tidemark.provider.kit.start.MetadataClient;
import io.tidemark.provider.kit.start.MetadataClient.Answer;
import io.tidemark.provider.kit.start.MetadataUnavailable;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The instance metadata service, version 2 only: a token first, then all requests with it. Never
 * uses a proxy. Thread-safe.
 */
public final class HttpInstanceMetadata implements InstanceMetadata {
  /** Its address on every instance. */
  public static final URI ENDPOINT = URI.create("http://169.254.169.254");

  /** How long one question may take, token and all. */
  public static final Duration TIMEOUT = Duration.ofSeconds(2);

  private static final String TOKEN_SECONDS = "60";
  private static final String REMEDY =
      "Set aws-region, or in a container raise the instance's metadata hop limit to 2.";

  private static final String DISABLED =
      "instance metadata are disabled by AWS_EC2_METADATA_DISABLED. Set aws-region and cluster-name,"
          + " or unset the variable.";

  private final MetadataClient client;

  /** Uses the service at {@code endpoint}, within {@code timeout} in total. */
  public HttpInstanceMetadata(URI endpoint, Duration timeout) {
    this.client = new MetadataClient(endpoint, timeout.dividedBy(2), REMEDY);
  }

  /** The service at {@code endpoint}; disabled, one that sends no request and has nothing. */
  public static InstanceMetadata at(URI endpoint, boolean disabled) {
    return disabled
        ? path -> {
          throw MetadataUnavailable.unusable(DISABLED);
        }
        : new HttpInstanceMetadata(endpoint, TIMEOUT);
  }

  @Override
  public Optional<String> read(String path) throws MetadataUnavailable {
    Answer answer =
        client.send(
            "GET", "/latest/meta-data/" + path, Map.of("X-aws-ec2-metadata-token", token()));
    return answer.status() == 404 ? Optional.empty() : Optional.of(client.accepted(answer));
  }

  private String token() throws MetadataUnavailable {
    return client.accepted(
        client.send(
            "PUT",
            "/latest/api/token",
            Map.of("X-aws-ec2-metadata-token-ttl-seconds", TOKEN_SECONDS)));
  }
}
