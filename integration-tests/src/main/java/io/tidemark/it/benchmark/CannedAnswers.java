package io.tidemark.it.benchmark;

import io.tidemark.emulator.ec2.http.Ec2Handler;
import io.tidemark.emulator.ec2.http.Exchange;
import io.tidemark.emulator.ec2.http.Response;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpFullResponse;

/**
 * Records what is asked and answered once, then gives the same answers again in turn: what is left
 * of a call's time is the SDK's own.
 */
final class CannedAnswers implements SdkHttpClient {
  private final Ec2Handler handler;
  private final List<Exchange> asked = new ArrayList<>();
  private final List<byte[]> answers = new ArrayList<>();
  private boolean recording = true;
  private int next;

  CannedAnswers(Ec2Handler handler) {
    this.handler = handler;
  }

  /** From now on the recorded answers are given, the first one first. */
  void replay() {
    recording = false;
  }

  /** The recorded requests. */
  List<Exchange> asked() {
    return List.copyOf(asked);
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    return new ExecutableHttpRequest() {
      @Override
      public HttpExecuteResponse call() throws IOException {
        byte[] body = recording ? record(request) : answers.get(next++ % answers.size());
        return HttpExecuteResponse.builder()
            .response(
                SdkHttpFullResponse.builder()
                    .statusCode(200)
                    .putHeader("Content-Length", Integer.toString(body.length))
                    .build())
            .responseBody(AbortableInputStream.create(new ByteArrayInputStream(body)))
            .build();
      }

      @Override
      public void abort() {
        // A call never waits.
      }
    };
  }

  @Override
  public void close() {
    // Nothing is open.
  }

  private byte[] record(HttpExecuteRequest request) throws IOException {
    Exchange exchange =
        new Exchange(
            request.httpRequest().firstMatchingHeader("Authorization"),
            request.httpRequest().encodedQueryParameters().orElse(""),
            new String(
                request.contentStreamProvider().orElseThrow().newStream().readAllBytes(),
                StandardCharsets.UTF_8));
    Response response = handler.handle(exchange);
    byte[] body = response.body().getBytes(StandardCharsets.UTF_8);
    asked.add(exchange);
    answers.add(body);
    return body;
  }
}
