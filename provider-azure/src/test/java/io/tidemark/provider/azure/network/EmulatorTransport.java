package io.tidemark.provider.azure.network;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import io.tidemark.emulator.arm.http.ArmHandler;
import io.tidemark.emulator.arm.http.Identity;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.arm.request.ArmRequest;
import io.tidemark.emulator.arm.scenario.ArmScenarioYaml;
import io.tidemark.emulator.kit.pace.Delivery;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URL;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Hands requests of azure-core to an emulator, without a socket. */
public final class EmulatorTransport implements BlockingConnection {
  private final ArmHandler handler;
  private final List<HttpRequest> sent = new ArrayList<>();

  public EmulatorTransport(ArmHandler handler) {
    this.handler = handler;
  }

  /** The requests that were sent, oldest first. */
  public List<HttpRequest> sent() {
    return sent;
  }

  @Override
  public HttpResponse sendSync(HttpRequest request, Context context) {
    sent.add(request);
    URL url = request.getUrl();
    BinaryData body = request.getBodyAsBinaryData();
    Map<String, String> headers = new HashMap<>();
    request
        .getHeaders()
        .forEach(each -> headers.put(each.getName().toLowerCase(Locale.ROOT), each.getValue()));
    io.tidemark.http.HttpRequest http =
        new io.tidemark.http.HttpRequest(
            request.getHttpMethod().toString(),
            url.getPath(),
            url.getQuery() == null ? "" : url.getQuery(),
            headers,
            InetAddress.getLoopbackAddress(),
            body == null ? "" : body.toString());
    String origin = url.getProtocol() + "://" + url.getAuthority();
    Optional<ArmReply> identity =
        new Identity(handler, ArmScenarioYaml.example().machine()).answer(http, origin);
    if (identity.isPresent()) {
      return response(request, identity.get());
    }
    ArmReply reply = handler.handle(ArmRequest.of(http, origin));
    if (reply.delivery() != Delivery.SENT) {
      throw new UncheckedIOException(new IOException("the connection broke"));
    }
    String date =
        DateTimeFormatter.RFC_1123_DATE_TIME.format(handler.now().atOffset(ZoneOffset.UTC));
    return response(request, reply.with("Date", date));
  }

  /** A response that some other server gives. */
  public static HttpResponse response(HttpRequest request, int status, String body) {
    return response(request, ArmReply.ofText(status, body));
  }

  private static HttpResponse response(HttpRequest request, ArmReply reply) {
    HttpHeaders headers = new HttpHeaders();
    reply.headers().forEach((name, value) -> headers.set(HttpHeaderName.fromString(name), value));
    return new TextResponse(request, reply.status(), headers, reply.body());
  }
}
