package io.tidemark.provider.azure.start;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.provider.kit.start.MetadataClient;
import io.tidemark.provider.kit.start.MetadataUnavailable;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The metadata of the machine that we run on (Z48), over HTTP; never uses a proxy. */
public final class HttpAzureMetadataJson {
  /** Its address on every machine. */
  public static final URI ENDPOINT = URI.create("http://169.254.169.254");

  /** How long a request may take. */
  public static final Duration TIMEOUT = Duration.ofSeconds(2);

  private static final String PATH = "/metadata/instance/compute?api-version=2021-02-01";
  private static final String REMEDY = "Set azure-cloud.";

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final MetadataClient client;

  /** Sends nothing yet. */
  public HttpAzureMetadataJson(URI endpoint, Duration timeout) {
    this.client = new MetadataClient(endpoint, timeout, REMEDY);
  }

  /**
   * The name of the cloud; one request. An error page, and a text that is no metadata, name no
   * cloud (F16).
   */
  public String cloudName() throws MetadataUnavailable {
    String text = client.accepted(client.send("GET", PATH, Map.of("Metadata", "true")));
    return cloudName(text)
        .orElseThrow(
            () ->
                MetadataUnavailable.unusable(client.name() + " does not name a cloud. " + REMEDY));
  }

  private static Optional<String> cloudName(String text) {
    try {
      return Optional.of(MAPPER.readTree(text).path("azEnvironment").asText(""))
          .filter(name -> !name.isBlank());
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }
}
