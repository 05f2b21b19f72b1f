package io.tidemark.provider.azure.network;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Meddles between the provider and an emulator: in between, too late, and otherwise. */
public final class MeddlingTransport implements BlockingConnection {
  private final EmulatorTransport emulator;
  private final List<Runnable> beforeWrites = new ArrayList<>();
  private final List<HttpRequest> kept = new ArrayList<>();
  private final Map<String, String> headers = new HashMap<>();
  private int toKeep;
  private UnaryOperator<String> bodies = UnaryOperator.identity();

  public MeddlingTransport(EmulatorTransport emulator) {
    this.emulator = emulator;
  }

  /** Happens once, right before the next write arrives. */
  public void beforeNextWrite(Runnable what) {
    beforeWrites.add(what);
  }

  /** The next write does not arrive, and its sender hears nothing. */
  public void keepNextWrite() {
    toKeep++;
  }

  /** The kept requests arrive at last; returns the statuses of the responses. */
  public List<Integer> deliverKept() {
    List<Integer> statuses = new ArrayList<>();
    for (HttpRequest each : kept) {
      statuses.add(emulator.sendSync(each, Context.NONE).getStatusCode());
    }
    kept.clear();
    return statuses;
  }

  /** Responses that have this header have this value of it. */
  public void answering(String header, String value) {
    headers.put(header, value);
  }

  /** Bodies of responses are changed so. */
  public void rewriting(UnaryOperator<String> how) {
    bodies = how;
  }

  /** The bodies of all writes that arrived, oldest first. */
  public List<String> written() {
    return emulator.sent().stream()
        .filter(MeddlingTransport::isWrite)
        .map(each -> each.getBodyAsBinaryData().toString())
        .toList();
  }

  /** The addresses of all requests that arrived, oldest first. */
  public List<String> urls() {
    return emulator.sent().stream().map(each -> each.getUrl().toString()).toList();
  }

  private static boolean isWrite(HttpRequest request) {
    return request.getHttpMethod().toString().equals("PUT");
  }

  @Override
  public HttpResponse sendSync(HttpRequest request, Context context) {
    if (isWrite(request)) {
      List<Runnable> now = new ArrayList<>(beforeWrites);
      beforeWrites.clear();
      now.forEach(Runnable::run);
      if (toKeep > 0) {
        toKeep--;
        kept.add(request);
        throw new UncheckedIOException(new IOException("the connection broke"));
      }
    }
    HttpResponse response = emulator.sendSync(request, context);
    HttpHeaders changed = new HttpHeaders(response.getHeaders());
    headers.forEach(
        (name, value) -> {
          HttpHeaderName header = HttpHeaderName.fromString(name);
          if (changed.getValue(header) != null) {
            changed.set(header, value);
          }
        });
    String body = bodies.apply(response.getBodyAsBinaryData().toString());
    return new TextResponse(request, response.getStatusCode(), changed, body);
  }
}
