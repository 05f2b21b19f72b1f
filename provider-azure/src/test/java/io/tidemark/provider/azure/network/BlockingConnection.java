package io.tidemark.provider.azure.network;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import reactor.core.publisher.Mono;

/** A connection for azure-core that answers on the calling thread. */
@FunctionalInterface
public interface BlockingConnection extends HttpClient {
  @Override
  default Mono<HttpResponse> send(HttpRequest request) {
    return Mono.fromSupplier(() -> sendSync(request, Context.NONE));
  }

  @Override
  HttpResponse sendSync(HttpRequest request, Context context);
}
