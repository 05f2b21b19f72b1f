package io.tidemark.provider.aws.metadata;

import java.io.IOException;
import java.io.InputStream;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
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

  private static final int BODY_MAX = 1 << 20;
  private static final String TOKEN_SECONDS = "60";

  private final HttpClient client;
  private final URI endpoint;
  private final Duration each;

  /** Uses the service at {@code endpoint}, within {@code timeout} in total. */
  public HttpInstanceMetadata(URI endpoint, Duration timeout) {
    this.endpoint = endpoint;
    this.each = timeout.dividedBy(2);
    this.client =
        HttpClient.newBuilder()
            .connectTimeout(each)
            .proxy(ProxySelector.of(null))
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
  }

  @Override
  public Optional<String> read(String path) throws MetadataUnavailable {
    String token = token();
    HttpResponse<InputStream> answer =
        send(
            HttpRequest.newBuilder(at("/latest/meta-data/" + path))
                .header("X-aws-ec2-metadata-token", token)
                .GET());
    String text = text(answer);
    if (answer.statusCode() == 404) {
      return Optional.empty();
    }
    return Optional.of(accepted(answer.statusCode(), text));
  }

  private String token() throws MetadataUnavailable {
    HttpResponse<InputStream> answer =
        send(
            HttpRequest.newBuilder(at("/latest/api/token"))
                .header("X-aws-ec2-metadata-token-ttl-seconds", TOKEN_SECONDS)
                .PUT(BodyPublishers.noBody()));
    return accepted(answer.statusCode(), text(answer));
  }

  private String accepted(int status, String text) throws MetadataUnavailable {
    if (status != 200) {
      throw new MetadataUnavailable("the metadata service at " + endpoint + " answered " + status);
    }
    return text.strip();
  }

  private URI at(String path) {
    return endpoint.resolve(path);
  }

  private HttpResponse<InputStream> send(HttpRequest.Builder request) throws MetadataUnavailable {
    try {
      return client.send(request.timeout(each).build(), BodyHandlers.ofInputStream());
    } catch (IOException e) {
      throw new MetadataUnavailable(
          "the metadata service at "
              + endpoint
              + " does not answer ("
              + e.getClass().getSimpleName()
              + "). Set aws-region, or in a container raise the instance's metadata hop limit to"
              + " 2.",
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MetadataUnavailable("interrupted while asking " + endpoint, e);
    }
  }

  private String text(HttpResponse<InputStream> answer) throws MetadataUnavailable {
    try (InputStream body = answer.body()) {
      byte[] bytes = body.readNBytes(BODY_MAX + 1);
      if (bytes.length > BODY_MAX) {
        throw new MetadataUnavailable(
            "the metadata service at " + endpoint + " answered more than " + BODY_MAX + " bytes");
      }
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new MetadataUnavailable("the answer of " + endpoint + " broke off", e);
    }
  }
}
