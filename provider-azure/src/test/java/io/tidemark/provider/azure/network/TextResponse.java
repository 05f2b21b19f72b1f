package io.tidemark.provider.azure.network;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.BinaryData;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A response whose whole body is present. */
final class TextResponse extends HttpResponse {
  private final int status;
  private final HttpHeaders headers;
  private final String body;

  TextResponse(HttpRequest request, int status, HttpHeaders headers, String body) {
    super(request);
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  @Override
  public int getStatusCode() {
    return status;
  }

  @Override
  @SuppressWarnings("deprecation") // azure-core has not removed it
  public String getHeaderValue(String name) {
    return headers.getValue(HttpHeaderName.fromString(name));
  }

  @Override
  public HttpHeaders getHeaders() {
    return headers;
  }

  @Override
  public BinaryData getBodyAsBinaryData() {
    return BinaryData.fromString(body);
  }

  @Override
  public Flux<ByteBuffer> getBody() {
    return Flux.just(ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8)));
  }

  @Override
  public Mono<byte[]> getBodyAsByteArray() {
    return Mono.just(body.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public Mono<String> getBodyAsString() {
    return Mono.just(body);
  }

  @Override
  public Mono<String> getBodyAsString(Charset charset) {
    return Mono.just(body);
  }
}
