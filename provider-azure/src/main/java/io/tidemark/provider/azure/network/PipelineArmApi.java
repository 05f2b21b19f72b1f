package io.tidemark.provider.azure.network;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import io.tidemark.provider.azure.network.OperationStatus.State;
import io.tidemark.time.TimeSource;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Resource Manager over azure-core's pipeline. The bearer token is set here, and is sent to the
 * endpoint alone. Thread-safe.
 */
final class PipelineArmApi implements ArmApi {
  static final String RESPONSE_TIMEOUT = "azure-response-timeout";
  private static final String ASYNC_OPERATION = "Azure-AsyncOperation";
  private static final String IN_PATHS =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-._~()";

  private final HttpPipeline pipeline;
  private final URI endpoint;
  private final Supplier<String> token;
  private final TimeSource time;
  private final boolean blocksOnScaleSets;
  private final MachineCounts counts = new MachineCounts();

  /**
   * An API that sends nothing yet.
   *
   * @param pipeline without policies that repeat, redirect or log (Z3)
   * @param endpoint of Resource Manager: scheme, host and port
   * @param token the access token of now; called inside of each request
   * @param blocksOnScaleSets whether instances are read and written by the version of the API that
   *     knows blocks (Z31)
   */
  PipelineArmApi(
      HttpPipeline pipeline,
      URI endpoint,
      Supplier<String> token,
      TimeSource time,
      boolean blocksOnScaleSets) {
    this.pipeline = pipeline;
    this.endpoint = endpoint;
    this.token = token;
    this.time = time;
    this.blocksOnScaleSets = blocksOnScaleSets;
  }

  private record Answer(HttpResponse response, String body) {
    Optional<String> header(String name) {
      return Optional.ofNullable(response.getHeaderValue(HttpHeaderName.fromString(name)));
    }

    Optional<Duration> retryAfter() {
      return header("Retry-After")
          .filter(text -> text.matches("[0-9]{1,6}"))
          .map(text -> Duration.ofSeconds(Long.parseLong(text)));
    }
  }

  @Override
  public <T> T read(ArmRead<T> what) throws ArmFailure {
    ArmOperation operation = what.operation();
    String expanded = operation == ArmOperation.INSTANCE_GET ? "&$expand=instanceView" : "";
    HttpRequest request =
        new HttpRequest(HttpMethod.GET, url(operation, what.id().text()) + expanded);
    return what.meaning().read(what.id(), ofMachine(operation, request, what.id()).body());
  }

  @Override
  public <T> AzurePage<T> page(ArmList<T> list, Optional<URI> next) throws ArmFailure {
    URI url = next.orElseGet(() -> url(list.operation(), list.path()));
    Answer answer = send(list.operation(), new HttpRequest(HttpMethod.GET, url.toString()), false);
    return AnswersJson.page(answer.body(), list.element(), this::ofEndpoint);
  }

  @Override
  public Written write(WritableResource base, ConfigurationChange change) throws ArmFailure {
    ArmOperation operation = ArmOperation.writeOf(base.id());
    HttpRequest request =
        put(operation, base.id(), WritesJson.body(base, change))
            .setHeader(HttpHeaderName.IF_MATCH, base.etag());
    return written(ofMachine(operation, request, base.id()));
  }

  private Written written(Answer answer) {
    Optional<String> operation = answer.header(ASYNC_OPERATION);
    Optional<String> location = answer.header("Location");
    Optional<URI> mine = operation.flatMap(this::ofEndpoint);
    Optional<URI> result = operation.isPresent() ? mine : location.flatMap(this::ofEndpoint);
    boolean named = operation.isPresent() || location.isPresent();
    String state = AnswersJson.provisioningState(answer.body());
    boolean ended =
        !named
            && answer.response().getStatusCode() != 202
            && (state.isEmpty() || state.equals("succeeded"));
    return new Written(
        result, operation.isEmpty(), ended, answer.retryAfter(), named && result.isEmpty());
  }

  @Override
  public OperationStatus operation(Written written, ResourceId resource) throws ArmFailure {
    URI url =
        written
            .operation()
            .orElseThrow(() -> new IllegalArgumentException("no operation of " + resource));
    Answer answer =
        ofMachine(
            ArmOperation.OPERATION_GET, new HttpRequest(HttpMethod.GET, url.toString()), resource);
    if (written.byResult()) {
      return AnswersJson.result(
          answer.response().getStatusCode(), answer.body(), resource, answer.retryAfter());
    }
    State state = AnswersJson.state(answer.body());
    AnswersJson.ErrorText error = AnswersJson.error(answer.body());
    return new OperationStatus(
        state,
        ArmErrorClassifier.ended(state, resource, error.code(), error.message()),
        answer.retryAfter());
  }

  @Override
  public Written createPublicAddress(ResourceId id, PublicPrefix prefix) throws ArmFailure {
    ArmOperation operation = ArmOperation.PUBLIC_ADDRESS_UPDATE;
    return written(send(operation, put(operation, id, PublicAddressesJson.body(prefix)), false));
  }

  @Override
  public AzureEndpointAnswer endpoint() throws ArmFailure {
    URI url = url(ArmOperation.ENDPOINT, "/subscriptions");
    Answer answer =
        exchange(ArmOperation.ENDPOINT, new HttpRequest(HttpMethod.GET, url.toString()));
    return AzureEndpointAnswer.of(
        answer.response().getStatusCode(),
        answer.header("x-ms-request-id").or(() -> answer.header("x-ms-correlation-request-id")),
        answer.body(),
        answer.header("Date"),
        Instant.ofEpochMilli(time.epochMillis()));
  }

  // ---- one request

  private HttpRequest put(ArmOperation operation, ResourceId id, String body) {
    return new HttpRequest(HttpMethod.PUT, url(operation, id.text()).toString())
        .setHeader(HttpHeaderName.CONTENT_TYPE, "application/json")
        .setBody(body);
  }

  /** A request about {@code machine}; one about another resource is of no machine's bucket. */
  private Answer ofMachine(ArmOperation operation, HttpRequest request, ResourceId machine)
      throws ArmFailure {
    if (!machine.isMachine()) {
      return send(operation, request, false);
    }
    boolean often = counts.count(operation, machine, time.nanos());
    try {
      return send(operation, request, often);
    } catch (ArmFailure failure) {
      if (failure.isOfProvider() && counts.refusedAlone(operation, machine, time.nanos())) {
        throw failure.alone();
      }
      throw failure;
    }
  }

  /**
   * Sends a request and reads its response.
   *
   * @param often whether the machine was asked as often as its own bucket allows
   */
  private Answer send(ArmOperation operation, HttpRequest request, boolean often)
      throws ArmFailure {
    request.setHeader(HttpHeaderName.AUTHORIZATION, "Bearer " + token.get());
    Answer answer = exchange(operation, request);
    int status = answer.response().getStatusCode();
    if (status >= 200 && status < 300) {
      return answer;
    }
    AnswersJson.ErrorText error = AnswersJson.error(answer.body());
    throw ArmFailure.refused(
        status, error.code(), error.message(), answer.retryAfter(), often && status == 429);
  }

  /** Whatever the status of the response is. */
  private Answer exchange(ArmOperation operation, HttpRequest request) throws ArmFailure {
    try (HttpResponse response =
        pipeline.sendSync(request, new Context(RESPONSE_TIMEOUT, operation.timeout()))) {
      return new Answer(response, response.getBodyAsBinaryData().toString());
    } catch (RuntimeException e) {
      throw unanswered(e);
    }
  }

  private static ArmFailure unanswered(RuntimeException thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof ConnectException
          || cause instanceof HttpConnectTimeoutException
          || cause instanceof UnresolvedAddressException) {
        return ArmFailure.unanswered(ArmFailure.Ending.NOT_SENT, text(cause), thrown);
      }
    }
    return ArmFailure.unanswered(ArmFailure.Ending.ANSWER_LOST, text(thrown), thrown);
  }

  /** The text of an error without a query, which can be signed. */
  private static String text(Throwable thrown) {
    return String.valueOf(thrown).replaceAll("\\?\\S*", "?…");
  }

  private URI url(ArmOperation operation, String path) {
    String version = operation.apiVersion(blocksOnScaleSets);
    return URI.create(origin() + encoded(path) + "?api-version=" + version);
  }

  private String origin() {
    String text = endpoint.toString();
    return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
  }

  /** A character with a meaning in a URL has none in a name. */
  private static String encoded(String path) {
    StringBuilder encoded = new StringBuilder(path.length());
    for (byte each : path.getBytes(StandardCharsets.UTF_8)) {
      if (IN_PATHS.indexOf(each) >= 0) {
        encoded.append((char) each);
      } else {
        encoded.append(String.format(Locale.ROOT, "%%%02X", each & 0xFF));
      }
    }
    return encoded.toString();
  }

  /** An address that is at the endpoint's scheme, host and port; empty for every other. */
  private Optional<URI> ofEndpoint(String text) {
    try {
      URI url = URI.create(text);
      boolean mine =
          endpoint.getScheme().equalsIgnoreCase(url.getScheme())
              && endpoint.getHost().equalsIgnoreCase(url.getHost())
              && port(endpoint) == port(url)
              && url.getUserInfo() == null;
      return mine ? Optional.of(url) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static int port(URI url) {
    return url.getPort() >= 0
        ? url.getPort()
        : "https".equalsIgnoreCase(url.getScheme()) ? 443 : 80;
  }
}
