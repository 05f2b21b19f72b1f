package io.tidemark.provider.azure.network;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
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
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Resource Manager over azure-core's pipeline, without policies that repeat, redirect or log (Z3).
 * The bearer token is set here, and is sent to the endpoint alone. Thread-safe.
 */
public final class PipelineArmApi implements ArmApi {
  private static final String RESPONSE_TIMEOUT = "azure-response-timeout";
  private static final String ASYNC_OPERATION = "Azure-AsyncOperation";
  private static final String IN_PATHS =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-._~()";

  private final HttpPipeline pipeline;
  private final URI endpoint;
  private final Supplier<String> token;
  private final TimeSource time;
  private final String instanceVersion;
  private final MachineCounts counts = new MachineCounts();

  /** An API that reads and writes instances by the version that does not know blocks. */
  public PipelineArmApi(
      HttpClient transport, URI endpoint, Supplier<String> token, TimeSource time) {
    this(transport, endpoint, token, time, false);
  }

  /**
   * An API that sends nothing yet.
   *
   * @param endpoint of Resource Manager: scheme, host and port
   * @param token the access token of now; called inside of each request
   * @param blocksOnScaleSets whether instances are read and written by the version of the API that
   *     knows blocks (Z31)
   */
  public PipelineArmApi(
      HttpClient transport,
      URI endpoint,
      Supplier<String> token,
      TimeSource time,
      boolean blocksOnScaleSets) {
    this.pipeline = new HttpPipelineBuilder().httpClient(transport).build();
    this.endpoint = endpoint;
    this.token = token;
    this.time = time;
    this.instanceVersion = blocksOnScaleSets ? ApiVersions.COMPUTE_BLOCKS : ApiVersions.COMPUTE;
  }

  /** A response that was read. */
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
  public Page<NetworkInterface> interfacesOfGroup(
      String subscription, String group, Optional<URI> next) throws ArmFailure {
    String path = ofGroup(subscription, group, "Microsoft.Network/networkInterfaces");
    return interfaces(ArmOperation.GROUP_INTERFACES, path, ApiVersions.NETWORK, next);
  }

  @Override
  public Page<NetworkInterface> interfacesOfSet(ResourceId set, Optional<URI> next)
      throws ArmFailure {
    return interfaces(
        ArmOperation.SET_INTERFACES,
        set.text() + "/networkInterfaces",
        ApiVersions.SET_INTERFACES,
        next);
  }

  @Override
  public Page<NetworkInterface> interfacesOfInstance(ResourceId instance, Optional<URI> next)
      throws ArmFailure {
    return interfaces(
        ArmOperation.INSTANCE_INTERFACES,
        instance.text() + "/networkInterfaces",
        ApiVersions.SET_INTERFACES,
        next);
  }

  private Page<NetworkInterface> interfaces(
      ArmOperation operation, String path, String version, Optional<URI> next) throws ArmFailure {
    URI url = next.isPresent() ? next.get() : url(path, version);
    return AnswersJson.interfaces(get(operation, url).body(), this::ofEndpoint);
  }

  @Override
  public NetworkInterface networkInterface(ResourceId id) throws ArmFailure {
    String body = get(ArmOperation.INTERFACE_GET, url(id.text(), ApiVersions.NETWORK)).body();
    return InterfacesJson.only(id, body);
  }

  @Override
  public List<ResourceId> interfacesOfMachine(ResourceId machine) throws ArmFailure {
    return AnswersJson.interfacesOfMachine(
        get(ArmOperation.MACHINE_GET, url(machine.text(), ApiVersions.COMPUTE)).body());
  }

  @Override
  public WritableResource writable(ResourceId id) throws ArmFailure {
    Answer answer =
        id.isUniformInstance()
            ? ofMachine(
                ArmOperation.INSTANCE_GET,
                new HttpRequest(
                    HttpMethod.GET, url(id.text(), instanceVersion) + "&$expand=instanceView"),
                id)
            : get(ArmOperation.INTERFACE_GET, url(id.text(), ApiVersions.NETWORK));
    return WritesJson.read(id, answer.body());
  }

  @Override
  public Written write(WritableResource base, ConfigurationChange change) throws ArmFailure {
    boolean uniform = base.id().isUniformInstance();
    HttpRequest request =
        new HttpRequest(
                HttpMethod.PUT,
                url(base.id().text(), uniform ? instanceVersion : ApiVersions.NETWORK).toString())
            .setHeader(HttpHeaderName.IF_MATCH, base.etag())
            .setHeader(HttpHeaderName.CONTENT_TYPE, "application/json")
            .setBody(WritesJson.body(base, change));
    Answer answer =
        uniform
            ? ofMachine(ArmOperation.INSTANCE_UPDATE, request, base.id())
            : send(ArmOperation.INTERFACE_UPDATE, request, false);
    return written(answer);
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
    HttpRequest request = new HttpRequest(HttpMethod.GET, url.toString());
    Answer answer = send(ArmOperation.OPERATION_GET, request, false);
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
  public Subnet subnet(ResourceId id) throws ArmFailure {
    return AnswersJson.subnet(
        id, get(ArmOperation.SUBNET_GET, url(id.text(), ApiVersions.NETWORK)).body());
  }

  @Override
  public Page<SubnetUsage> usages(ResourceId network, Optional<URI> next) throws ArmFailure {
    URI url = next.isPresent() ? next.get() : url(network.text() + "/usages", ApiVersions.NETWORK);
    return AnswersJson.usages(get(ArmOperation.NETWORK_USAGES, url).body(), this::ofEndpoint);
  }

  @Override
  public Page<PublicPrefix> publicPrefixes(String subscription, String group, Optional<URI> next)
      throws ArmFailure {
    String path = ofGroup(subscription, group, "Microsoft.Network/publicIPPrefixes");
    URI url = next.isPresent() ? next.get() : url(path, ApiVersions.NETWORK);
    return AnswersJson.page(
        get(ArmOperation.PUBLIC_PREFIXES, url).body(),
        PublicAddressesJson::prefix,
        this::ofEndpoint);
  }

  @Override
  public PublicAddress publicAddress(ResourceId id) throws ArmFailure {
    return PublicAddressesJson.only(
        id, get(ArmOperation.PUBLIC_ADDRESS_GET, url(id.text(), ApiVersions.NETWORK)).body());
  }

  @Override
  public Written createPublicAddress(ResourceId id, PublicPrefix prefix) throws ArmFailure {
    return written(
        send(
            ArmOperation.PUBLIC_ADDRESS_UPDATE,
            new HttpRequest(HttpMethod.PUT, url(id.text(), ApiVersions.NETWORK).toString())
                .setHeader(HttpHeaderName.CONTENT_TYPE, "application/json")
                .setBody(PublicAddressesJson.body(prefix)),
            false));
  }

  @Override
  public Page<PublicAddress> publicAddressesOfInstance(
      ResourceId networkInterface, String configuration, Optional<URI> next) throws ArmFailure {
    String path = networkInterface + "/ipConfigurations/" + configuration + "/publicIPAddresses";
    URI url = next.isPresent() ? next.get() : url(path, ApiVersions.SET_INTERFACES);
    return AnswersJson.page(
        get(ArmOperation.INSTANCE_PUBLIC_ADDRESSES, url).body(),
        PublicAddressesJson::address,
        this::ofEndpoint);
  }

  @Override
  public EndpointAnswer endpoint() throws ArmFailure {
    URI url = url("/subscriptions", ApiVersions.SUBSCRIPTIONS);
    Answer answer =
        exchange(ArmOperation.ENDPOINT, new HttpRequest(HttpMethod.GET, url.toString()));
    return EndpointAnswer.of(
        answer.response().getStatusCode(),
        answer.header("x-ms-request-id").or(() -> answer.header("x-ms-correlation-request-id")),
        answer.body(),
        answer.header("Date"),
        Instant.ofEpochMilli(time.epochMillis()));
  }

  @Override
  public Page<Grant> permissions(String scope, Optional<URI> next) throws ArmFailure {
    String path = scope + "/providers/Microsoft.Authorization/permissions";
    URI url = next.isPresent() ? next.get() : url(path, ApiVersions.PERMISSIONS);
    return AnswersJson.page(
        get(ArmOperation.PERMISSIONS, url).body(), LinksJson::grant, this::ofEndpoint);
  }

  @Override
  public Page<InterfaceLinks> links(ResourceId machine, Optional<URI> next) throws ArmFailure {
    boolean uniform = machine.isUniformInstance();
    String path =
        uniform
            ? machine.parent().orElse(machine) + "/networkInterfaces"
            : ofGroup(
                machine.subscription(), machine.group(), "Microsoft.Network/networkInterfaces");
    URI first = url(path, uniform ? ApiVersions.SET_INTERFACES : ApiVersions.NETWORK);
    return AnswersJson.page(
        get(ArmOperation.listOf(machine), next.orElse(first)).body(),
        LinksJson::links,
        this::ofEndpoint);
  }

  // ---- one request

  private static String ofGroup(String subscription, String group, String type) {
    return "/subscriptions/" + subscription + "/resourceGroups/" + group + "/providers/" + type;
  }

  private Answer get(ArmOperation operation, URI url) throws ArmFailure {
    return send(operation, new HttpRequest(HttpMethod.GET, url.toString()), false);
  }

  private Answer ofMachine(ArmOperation operation, HttpRequest request, ResourceId machine)
      throws ArmFailure {
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

  private URI url(String path, String version) {
    return URI.create(origin() + encoded(path) + "?api-version=" + version);
  }

  private String origin() {
    String text = endpoint.toString();
    return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
  }

  /** What has a meaning in a URL has none in a name. */
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
