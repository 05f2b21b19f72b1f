package io.tidemark.daemon.cni;

import io.tidemark.agent.PoolName;
import io.tidemark.daemon.DaemonError;
import io.tidemark.daemon.cni.NetworkConfig.Valid;
import io.tidemark.http.HttpHandler;
import io.tidemark.http.HttpReply;
import io.tidemark.http.HttpRequest;
import io.tidemark.http.HttpResponse;
import io.tidemark.ip.IpAddress;
import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers requests of protocol {@code TIDEMARK-CNI/1}, each the body of an HTTP request. The body
 * of the response is what the plugin prints: of status 200 a result, of status 400 a failure in the
 * form of the specification. Thread-safe; never blocks; no request, however broken, ends it (A91).
 */
public final class CniHandler implements HttpHandler {
  private static final Logger LOG = LoggerFactory.getLogger(CniHandler.class);

  /** For failures of requests that name no version that is known. */
  private static final String OWN_VERSION = "1.0.0";

  private static final int SUCCEEDED = 200;
  private static final int FAILED = 400;

  private static final List<String> COMMANDS = List.of("ADD", "DEL", "CHECK", "GC", "STATUS");

  private static final String OTHER = "other";

  private final Attachments attachments;
  private final ResultForm form;
  private final PoolName defaultPool;
  private final PoolName needed;
  private final Meters meters;
  private final TimeSource time;

  /** The failure's code, or 0, and the text for the plugin. */
  private record Answer(int code, String output) {
    HttpResponse response() {
      return HttpResponse.of(code == 0 ? SUCCEEDED : FAILED, "application/json", output);
    }
  }

  /**
   * A handler.
   *
   * @param defaultPool of requests that name neither a pool nor a pod
   * @param needed without whose addresses it is not able to serve; {@link PoolName#NOT_GIVEN} if
   *     none
   */
  CniHandler(
      Attachments attachments,
      ResultForm form,
      PoolName defaultPool,
      PoolName needed,
      Meters meters,
      TimeSource time) {
    this.attachments = attachments;
    this.form = form;
    this.defaultPool = defaultPool;
    this.needed = needed;
    this.meters = meters;
    this.time = time;
  }

  /** Why an ADD could not be served now, or empty. Never blocks. */
  public Optional<String> unable() {
    return attachments.unable(needed);
  }

  @Override
  public void handle(HttpRequest request, HttpReply reply) {
    answer(request.body())
        .whenComplete(
            (response, thrown) -> {
              if (thrown == null) {
                reply.send(response);
              } else {
                reply.breakOff();
              }
            });
  }

  /** The response to a request with this body; from any thread. */
  public CompletionStage<HttpResponse> answer(String request) {
    long started = time.nanos();
    String command = OTHER;
    CompletionStage<Answer> answer;
    try {
      CniRequest parsed = CniRequest.parse(request);
      command = parsed.command();
      answer = answer(command, parsed, NetworkConfigJson.read(parsed.config()));
    } catch (InvalidRequestException invalid) {
      answer = ended(failed(version(request), invalid.failure()));
    } catch (RuntimeException e) {
      LOG.error("A request failed", e);
      answer = ended(failed(version(request), CniFailure.tryAgain("a defect of the agent: " + e)));
    }
    String counted = COMMANDS.contains(command) ? command : OTHER;
    return answer.thenApply(
        end -> {
          meters.count(Metric.AGENT_CNI_REQUESTS, counted, Integer.toString(end.code()));
          meters.record(
              Metric.AGENT_CNI_DURATION, Duration.ofNanos(time.nanos() - started), counted);
          return end.response();
        });
  }

  /** The version that a request which cannot be served names, if it is one that is known. */
  private static String version(String request) {
    return NetworkConfigJson.version(CniRequest.configOf(request)).orElse(OWN_VERSION);
  }

  private CompletionStage<Answer> answer(String command, CniRequest request, NetworkConfig config)
      throws InvalidRequestException {
    if (!config.has(command)) {
      throw new InvalidRequestException(
          CniFailure.commandTooNew(command, NetworkConfig.since(command), config.version()));
    }
    return switch (command) {
      case "ADD" -> add(request, config);
      case "DEL" ->
          attachments
              .delete(request.attachment(config.network()))
              .thenApply(failure -> done(config, failure));
      case "CHECK" -> {
        request.requireArguments();
        yield check(request.attachment(config.network(), "CNI_NETNS"), config);
      }
      case "STATUS" -> ended(done(config, unable().map(CniFailure::unavailable)));
      case "GC" -> collect(config);
      default ->
          throw new InvalidRequestException(
              CniFailure.invalidVariables(
                  "CNI_COMMAND is '" + command + "'; expected ADD, DEL, CHECK, GC or STATUS"));
    };
  }

  private CompletionStage<Answer> add(CniRequest request, NetworkConfig config)
      throws InvalidRequestException {
    AttachmentKey key = request.attachment(config.network(), "CNI_NETNS");
    request.requireArguments();
    if (config.requested().isPresent()) {
      throw new InvalidRequestException(CniFailure.requestedAddresses(config.requested().get()));
    }
    boolean hasPreference = config.pool().isGiven() || request.pod().isPresent();
    return attachments
        .add(key, request.owner(key), hasPreference ? config.pool() : defaultPool)
        .thenApply(
            end ->
                end instanceof Attachments.AddOutcome.Granted granted
                    ? succeeded(CniResultJson.result(config, granted.attachment(), form))
                    : failed(config.version(), ((Attachments.AddOutcome.Refused) end).failure()));
  }

  private CompletionStage<Answer> check(AttachmentKey key, NetworkConfig config)
      throws InvalidRequestException {
    List<IpAddress> previous =
        config
            .previous()
            .orElseThrow(
                () ->
                    new InvalidRequestException(
                        CniFailure.invalidConfiguration("prevResult is missing for CHECK")));
    return attachments.find(key).thenApply(found -> done(config, difference(key, found, previous)));
  }

  private static Optional<CniFailure> difference(
      AttachmentKey key, Optional<Attachment> found, List<IpAddress> previous) {
    if (found.isEmpty()) {
      return Optional.of(CniFailure.unknownContainer(key));
    }
    Set<IpAddress> given = new HashSet<>(previous);
    return given.equals(new HashSet<>(found.get().ips()))
        ? Optional.empty()
        : Optional.of(
            CniFailure.of(
                DaemonError.ATTACHMENT_DIFFERS,
                key + " has " + found.get().ips() + ", prevResult says " + previous));
  }

  private CompletionStage<Answer> collect(NetworkConfig config) throws InvalidRequestException {
    Set<Valid> valid =
        config
            .valid()
            .orElseThrow(
                () ->
                    new InvalidRequestException(
                        CniFailure.invalidConfiguration(
                            "cni.dev/valid-attachments is missing for GC")));
    return attachments
        .collect(
            key ->
                key.network().equals(config.network())
                    && !valid.contains(new Valid(key.container(), key.interfaceName())))
        .thenApply(failure -> done(config, failure));
  }

  // ---- answers

  private static Answer done(NetworkConfig config, Optional<CniFailure> failure) {
    return failure.map(each -> failed(config.version(), each)).orElseGet(() -> succeeded(""));
  }

  private static Answer succeeded(String output) {
    return new Answer(0, output);
  }

  private static Answer failed(String version, CniFailure failure) {
    LOG.info("Refused. code={} details={}", failure.code(), failure.details());
    return new Answer(failure.code(), CniResultJson.failure(version, failure));
  }

  private static CompletionStage<Answer> ended(Answer answer) {
    return CompletableFuture.completedFuture(answer);
  }
}
