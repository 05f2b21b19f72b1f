package io.tidemark.emulator.ec2.http;

import io.tidemark.emulator.kit.pace.Delivery;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpFullResponse;
import software.amazon.awssdk.http.SdkHttpRequest;

/**
 * Lets the AWS SDK for Java call the emulator without a socket, on the caller's thread: pass it to
 * {@code Ec2Client.builder().httpClient(...)}, or to that of {@code StsClient}. Thread-safe; never
 * waits.
 *
 * <p>Virtual time has no place to wait in a call, so the answer is there at once; whoever simulates
 * latency learns it, and what became of the answer, from the observer. A lost answer is an {@link
 * IOException}, one that never comes a {@link SocketTimeoutException}.
 */
public record InProcessClient(Ec2Handler handler, Consumer<Response> observer)
    implements SdkHttpClient {
  public static InProcessClient of(Ec2Handler handler) {
    return new InProcessClient(handler, response -> {});
  }

  /** The same; the observer gets every response before the SDK. */
  public static InProcessClient observed(Ec2Handler handler, Consumer<Response> observer) {
    return new InProcessClient(handler, observer);
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    return new ExecutableHttpRequest() {
      @Override
      public HttpExecuteResponse call() throws IOException {
        Response response = handler.handle(exchange(request));
        observer.accept(response);
        return delivered(response);
      }

      @Override
      public void abort() {
        // A call never waits, so there is nothing to break off.
      }
    };
  }

  @Override
  public void close() {
    // The handler belongs to the emulator.
  }

  @Override
  public String clientName() {
    return "Emulator";
  }

  private static Exchange exchange(HttpExecuteRequest request) throws IOException {
    SdkHttpRequest http = request.httpRequest();
    return new Exchange(
        http.firstMatchingHeader("Authorization"),
        http.firstMatchingHeader("X-Amz-Security-Token"),
        http.encodedQueryParameters().orElse(""),
        request.contentStreamProvider().isPresent()
            ? read(request.contentStreamProvider().get())
            : "");
  }

  private static String read(ContentStreamProvider content) throws IOException {
    try (InputStream in = content.newStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static HttpExecuteResponse delivered(Response response) throws IOException {
    if (response.delivery() == Delivery.LOST) {
      throw new IOException("Connection reset");
    }
    if (response.delivery() == Delivery.NEVER) {
      throw new SocketTimeoutException("Read timed out");
    }
    byte[] body = response.body().getBytes(StandardCharsets.UTF_8);
    return HttpExecuteResponse.builder()
        .response(
            SdkHttpFullResponse.builder()
                .statusCode(response.status())
                .putHeader("Content-Type", Response.CONTENT_TYPE)
                .putHeader("Content-Length", Integer.toString(body.length))
                .putHeader("x-amzn-RequestId", response.requestId())
                .build())
        .responseBody(AbortableInputStream.create(new ByteArrayInputStream(body)))
        .build();
  }
}
