package io.tidemark.provider.azure.network;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import io.tidemark.emulator.arm.document.DocumentJson;
import io.tidemark.emulator.arm.http.ArmHandler;
import io.tidemark.emulator.arm.http.Identity;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.arm.request.ArmRequest;
import io.tidemark.emulator.arm.scenario.ArmScenarioYaml;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
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
    String text = body == null ? "" : body.toString();
    if (Identity.isOne(url.getPath())) {
      return response(request, identity(request, text));
    }
    ArmReply reply =
        handler.handle(
            new ArmRequest(
                request.getHttpMethod().toString(),
                url.getProtocol() + "://" + url.getAuthority(),
                url.getPath(),
                ArmRequest.parameters(url.getQuery() == null ? "" : url.getQuery()),
                Optional.ofNullable(request.getHeaders().getValue(HttpHeaderName.AUTHORIZATION)),
                Optional.ofNullable(request.getHeaders().getValue(HttpHeaderName.IF_MATCH)),
                DocumentJson.read(text)));
    if (reply.delivery() != ArmReply.Delivery.SENT) {
      throw new UncheckedIOException(new IOException("the connection broke"));
    }
    String date =
        DateTimeFormatter.RFC_1123_DATE_TIME.format(handler.now().atOffset(ZoneOffset.UTC));
    return response(request, reply.with("Date", date));
  }

  private ArmReply identity(HttpRequest request, String form) {
    URL url = request.getUrl();
    return new Identity(handler, ArmScenarioYaml.example().machine())
        .answer(
            request.getHttpMethod().toString(),
            url.getPath(),
            ArmRequest.parameters(url.getQuery() == null ? "" : url.getQuery()),
            "true".equals(request.getHeaders().getValue(HttpHeaderName.fromString("Metadata"))),
            form);
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
