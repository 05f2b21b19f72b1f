package io.tidemark.provider.azure.network;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.jdk.httpclient.JdkHttpClientBuilder;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.http.policy.HttpPipelineSyncPolicy;
import com.azure.core.util.ConfigurationBuilder;
import com.azure.core.util.UrlBuilder;
import io.tidemark.provider.kit.start.CaBundle;
import io.tidemark.time.TimeSource;
import java.net.URI;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Connections of one process, made when they are needed first. {@code HTTPS_PROXY} and {@code
 * NO_PROXY} apply to Resource Manager and the authority, never to the metadata service. Redirects
 * are not followed. Thread-safe.
 */
public final class Transport {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  private final Optional<Path> caBundle;
  private final URI metadata;
  private final ObjLongConsumer<String> remaining;
  private final Optional<Duration> limit;
  private Optional<HttpClient> cloud = Optional.empty();

  /**
   * Connects to nothing yet.
   *
   * @param caBundle authorities that are trusted instead of those of the Java runtime
   * @param metadata where the metadata service is
   * @param remaining receives what Resource Manager says is left of a bucket of requests, by its
   *     name
   */
  public Transport(Optional<Path> caBundle, URI metadata, ObjLongConsumer<String> remaining) {
    this(caBundle, metadata, remaining, Optional.empty());
  }

  private Transport(
      Optional<Path> caBundle,
      URI metadata,
      ObjLongConsumer<String> remaining,
      Optional<Duration> limit) {
    this.caBundle = caBundle;
    this.metadata = metadata;
    this.remaining = remaining;
    this.limit = limit;
  }

  /** The same with this timeout of every connection and response, in place of their own. */
  public Transport within(Duration timeout) {
    return new Transport(caBundle, metadata, remaining, Optional.of(timeout));
  }

  /**
   * Resource Manager at {@code endpoint}, asked with the access token of now.
   *
   * @param blocksOnScaleSets whether instances are asked for blocks
   */
  public ArmApi arm(
      URI endpoint, Supplier<String> token, TimeSource time, boolean blocksOnScaleSets) {
    return new PipelineArmApi(
        pipeline(connection(), new RemainingRequests(remaining)),
        endpoint,
        token,
        time,
        blocksOnScaleSets);
  }

  /** For the authority. */
  public HttpPipeline cloud() {
    return pipeline(connection());
  }

  private HttpPipeline pipeline(HttpClient connection, HttpPipelinePolicy... policies) {
    HttpPipelineBuilder builder =
        new HttpPipelineBuilder().httpClient(connection).policies(policies);
    limit.ifPresent(timeout -> builder.policies(new ResponseTimeout(timeout)));
    return builder.build();
  }

  private synchronized HttpClient connection() {
    HttpClient open = cloud.orElseGet(() -> client(base()).build());
    cloud = Optional.of(open);
    return open;
  }

  private java.net.http.HttpClient.Builder base() {
    java.net.http.HttpClient.Builder builder = plain();
    caBundle.ifPresent(file -> builder.sslContext(trusting(file)));
    return builder;
  }

  private static java.net.http.HttpClient.Builder plain() {
    return java.net.http.HttpClient.newBuilder().version(java.net.http.HttpClient.Version.HTTP_1_1);
  }

  /** Azure-core replaces the timeout of the client that it is given by its own, ten seconds. */
  private JdkHttpClientBuilder client(java.net.http.HttpClient.Builder base) {
    return new JdkHttpClientBuilder(base).connectionTimeout(limit.orElse(CONNECT_TIMEOUT));
  }

  private static SSLContext trusting(Path file) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      @Nullable SecureRandom usual = null;
      context.init(null, CaBundle.read(file), usual);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("TLS is not available", e);
    }
  }

  /** For tokens of the machine's identity, which the metadata service gives. */
  public HttpPipeline metadata() {
    return pipeline(
        client(plain().proxy(java.net.http.HttpClient.Builder.NO_PROXY))
            .configuration(new ConfigurationBuilder().build())
            .build(),
        new MetadataAddress(metadata));
  }

  /** Waits so long for each response. */
  private static final class ResponseTimeout extends HttpPipelineSyncPolicy {
    private final Duration timeout;

    ResponseTimeout(Duration timeout) {
      this.timeout = timeout;
    }

    @Override
    protected void beforeSendingRequest(HttpPipelineCallContext context) {
      context.setData(PipelineArmApi.RESPONSE_TIMEOUT, timeout);
    }
  }

  /** Sends what is meant for the service's usual address to where it is. */
  private static final class MetadataAddress extends HttpPipelineSyncPolicy {
    private static final String USUAL = "169.254.169.254";

    private final URI endpoint;

    MetadataAddress(URI endpoint) {
      this.endpoint = endpoint;
    }

    @Override
    protected void beforeSendingRequest(HttpPipelineCallContext context) {
      HttpRequest request = context.getHttpRequest();
      UrlBuilder url = UrlBuilder.parse(request.getUrl());
      if (USUAL.equals(url.getHost())) {
        url.setScheme(endpoint.getScheme()).setHost(endpoint.getHost());
        if (endpoint.getPort() >= 0) {
          url.setPort(endpoint.getPort());
        }
        request.setUrl(url.toString());
      }
    }
  }
}
