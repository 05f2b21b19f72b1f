package io.tidemark.provider.kit.start;

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
import java.util.Map;

/**
 * Requests to the metadata service of the machine that we run on: never through a proxy, never
 * redirected, responses of a mebibyte at most. Thread-safe.
 */
public final class MetadataClient {
  private static final int BODY_MAX = 1 << 20;

  private final HttpClient client;
  private final URI endpoint;
  private final Duration timeout;
  private final String remedy;

  /**
   * Sends nothing yet.
   *
   * @param timeout of one request
   * @param remedy a sentence for a service that does not respond
   */
  public MetadataClient(URI endpoint, Duration timeout, String remedy) {
    this.endpoint = endpoint;
    this.timeout = timeout;
    this.remedy = remedy;
    this.client =
        HttpClient.newBuilder()
            .connectTimeout(timeout)
            .proxy(ProxySelector.of(null))
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
  }

  /** A response. */
  public record Answer(int status, String text) {}

  /** Sends one request without a body. */
  public Answer send(String method, String path, Map<String, String> headers)
      throws MetadataUnavailable {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(endpoint.resolve(path))
            .method(method, BodyPublishers.noBody())
            .timeout(timeout);
    headers.forEach(request::header);
    try {
      HttpResponse<InputStream> response =
          client.send(request.build(), BodyHandlers.ofInputStream());
      return new Answer(response.statusCode(), text(response));
    } catch (IOException e) {
      throw MetadataUnavailable.silent(
          name() + " does not answer (" + e.getClass().getSimpleName() + "). " + remedy, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw MetadataUnavailable.silent("interrupted while asking " + endpoint, e);
    }
  }

  /** The text of a response with status 200. */
  public String accepted(Answer answer) throws MetadataUnavailable {
    if (answer.status() != 200) {
      throw MetadataUnavailable.unusable(name() + " answered " + answer.status());
    }
    return answer.text().strip();
  }

  /** The service, for messages. */
  public String name() {
    return "the metadata service at " + endpoint;
  }

  private String text(HttpResponse<InputStream> response) throws IOException, MetadataUnavailable {
    try (InputStream body = response.body()) {
      byte[] bytes = body.readNBytes(BODY_MAX + 1);
      if (bytes.length > BODY_MAX) {
        throw MetadataUnavailable.unusable(name() + " answered more than " + BODY_MAX + " bytes");
      }
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }
}
