package io.tidemark.provider.aws.ec2;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;

/** Keeps the parameters of every request that passes. */
final class RecordingHttp implements SdkHttpClient {
  final List<SortedMap<String, String>> sent = new CopyOnWriteArrayList<>();
  final List<String> keys = new CopyOnWriteArrayList<>();
  private final SdkHttpClient next;

  RecordingHttp(SdkHttpClient next) {
    this.next = next;
  }

  SortedMap<String, String> last() {
    return sent.get(sent.size() - 1);
  }

  List<String> actions() {
    return sent.stream().map(each -> each.get("Action")).toList();
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    String body = request.contentStreamProvider().map(RecordingHttp::read).orElse("");
    SortedMap<String, String> form = new TreeMap<>();
    for (String pair : body.split("&", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        form.put(decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
      }
    }
    sent.add(form);
    keys.add(
        request
            .httpRequest()
            .firstMatchingHeader("Authorization")
            .map(text -> text.replaceAll(".*Credential=([^/]*)/.*", "$1"))
            .orElse(""));
    return next.prepareRequest(request);
  }

  private static String read(ContentStreamProvider content) {
    try (InputStream in = content.newStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    next.close();
  }
}
