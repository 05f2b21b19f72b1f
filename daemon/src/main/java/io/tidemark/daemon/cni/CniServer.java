package io.tidemark.daemon.cni;

import io.tidemark.daemon.DaemonError;
import io.tidemark.daemon.cni.NetworkConfig.Valid;
import io.tidemark.daemon.socket.Exchange;
import io.tidemark.ip.IpAddress;
import java.io.ByteArrayOutputStream;
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
 * Answers requests of protocol {@code TIDEMARK-CNI/1}. An answer is {@code 0} or {@code 1}, a line
 * break, and the bytes that the plugin prints: a result, or a failure in the form of the
 * specification. Thread-safe; never blocks; no request, however broken, ends it (A91).
 */
public final class CniServer implements Exchange {
  private static final Logger LOG = LoggerFactory.getLogger(CniServer.class);

  /** For failures of requests that name no version that is known. */
  private static final String OWN_VERSION = "1.0.0";

  private static final int FAILED = '1';
  private static final int SUCCEEDED = '0';
  private static final byte[] NOTHING = {};

  private final Attachments attachments;
  private final ResultForm form;

  CniServer(Attachments attachments, ResultForm form) {
    this.attachments = attachments;
    this.form = form;
  }

  @Override
  public CompletionStage<byte[]> answer(byte[] request) {
    String version = OWN_VERSION;
    try {
      CniRequest parsed = CniRequest.parse(request);
      String command = parsed.command();
      NetworkConfig config = NetworkConfigJson.read(parsed.config());
      version = config.version();
      return answer(command, parsed, config);
    } catch (CniFault fault) {
      return ended(failed(version, fault.failure()));
    } catch (RuntimeException e) {
      LOG.error("A request failed", e);
      return ended(failed(version, CniFailure.tryAgain("a defect of the agent: " + e)));
    }
  }

  private CompletionStage<byte[]> answer(String command, CniRequest request, NetworkConfig config)
      throws CniFault {
    return switch (command) {
      case "ADD" -> add(request, config);
      case "DEL" ->
          attachments
              .delete(request.attachment(config.network()))
              .thenApply(failure -> done(config, failure));
      case "CHECK" -> check(request.attachment(config.network(), "CNI_NETNS"), config);
      case "STATUS" ->
          attachments
              .unable()
              .thenApply(reason -> done(config, reason.map(CniFailure::unavailable)));
      case "GC" -> collect(config);
      default ->
          throw new CniFault(
              CniFailure.invalidVariables(
                  "CNI_COMMAND is '" + command + "'; expected ADD, DEL, CHECK, GC or STATUS"));
    };
  }

  private CompletionStage<byte[]> add(CniRequest request, NetworkConfig config) throws CniFault {
    AttachmentKey key = request.attachment(config.network(), "CNI_NETNS");
    return attachments
        .add(key, request.owner(key))
        .thenApply(
            end ->
                end instanceof Attached.Granted granted
                    ? succeeded(CniResultJson.result(config, granted.attachment(), form))
                    : failed(config.version(), ((Attached.Refused) end).failure()));
  }

  private CompletionStage<byte[]> check(AttachmentKey key, NetworkConfig config) throws CniFault {
    List<IpAddress> previous =
        config
            .previous()
            .orElseThrow(
                () ->
                    new CniFault(
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

  private CompletionStage<byte[]> collect(NetworkConfig config) throws CniFault {
    Set<Valid> valid =
        config
            .valid()
            .orElseThrow(
                () ->
                    new CniFault(
                        CniFailure.invalidConfiguration(
                            "cni.dev/valid-attachments is missing for GC")));
    return attachments
        .collect(
            key ->
                key.network().equals(config.network())
                    && !valid.contains(new Valid(key.container(), key.interfaceName())))
        .thenApply(failure -> done(config, failure));
  }

  // ---- what the socket finds

  @Override
  public byte[] tooLong(int bytesMax) {
    return failed(
        OWN_VERSION, CniFailure.undecodable("the request is longer than " + bytesMax + " bytes"));
  }

  @Override
  public byte[] tooSlow(Duration limit) {
    return failed(
        OWN_VERSION,
        CniFailure.undecodable("the request did not end within " + limit.toSeconds() + " s"));
  }

  @Override
  public byte[] busy() {
    return failed(OWN_VERSION, CniFailure.tryAgain("the agent reads too many requests at once"));
  }

  // ---- answers

  private static byte[] done(NetworkConfig config, Optional<CniFailure> failure) {
    return failure.map(each -> failed(config.version(), each)).orElseGet(() -> succeeded(NOTHING));
  }

  private static byte[] succeeded(byte[] output) {
    return framed(SUCCEEDED, output);
  }

  private static byte[] failed(String version, CniFailure failure) {
    LOG.info("Refused. code={} details={}", failure.code(), failure.details());
    return framed(FAILED, CniResultJson.failure(version, failure));
  }

  private static byte[] framed(int status, byte[] output) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(output.length + 2);
    bytes.write(status);
    bytes.write('\n');
    bytes.writeBytes(output);
    return bytes.toByteArray();
  }

  private static CompletionStage<byte[]> ended(byte[] answer) {
    return CompletableFuture.completedFuture(answer);
  }
}
