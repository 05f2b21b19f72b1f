package io.tidemark.provider.azure.network;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import io.tidemark.emulator.arm.http.ArmHandler;
import java.util.Locale;
import java.util.regex.Pattern;
import reactor.core.publisher.Mono;

/**
 * An emulator that spells the ids in every second answer to a read in upper case, as parts of Azure
 * do. Used by one thread.
 */
public final class RespellingTransport implements HttpClient {
  private static final Pattern ID = Pattern.compile("\"/subscriptions/[^\"]*\"");

  private final EmulatorTransport emulator;
  private int reads;

  public RespellingTransport(ArmHandler handler) {
    this.emulator = new EmulatorTransport(handler);
  }

  @Override
  public Mono<HttpResponse> send(HttpRequest request) {
    return Mono.fromSupplier(() -> sendSync(request, Context.NONE));
  }

  @Override
  public HttpResponse sendSync(HttpRequest request, Context context) {
    HttpResponse answer = emulator.sendSync(request, context);
    boolean shouted = request.getHttpMethod() == HttpMethod.GET && ++reads % 2 == 0;
    return shouted
        ? EmulatorTransport.response(
            request,
            answer.getStatusCode(),
            ID.matcher(answer.getBodyAsBinaryData().toString())
                .replaceAll(id -> id.group().toUpperCase(Locale.ROOT)))
        : answer;
  }
}
