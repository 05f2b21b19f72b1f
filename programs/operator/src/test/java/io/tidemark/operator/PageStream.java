package io.tidemark.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Iterator;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A client of {@code /events}. */
final class PageStream implements AutoCloseable {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final Stream<String> stream;
  private final Iterator<String> lines;

  private PageStream(Stream<String> stream) {
    this.stream = stream;
    this.lines = stream.iterator();
  }

  static PageStream open(int port) throws IOException, InterruptedException {
    URI uri = URI.create("http://localhost:" + port + "/events");
    return new PageStream(
        HTTP.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofLines()).body());
  }

  /** The data of the next message, which is of this kind. */
  JsonNode next(String event) throws IOException {
    StringBuilder data = new StringBuilder();
    String kind = "";
    while (true) {
      String line = lines.next();
      if (line.startsWith("event: ")) {
        kind = line.substring(7);
      } else if (line.startsWith("data: ")) {
        data.append(line.substring(6));
      } else if (line.isEmpty() && !data.isEmpty()) {
        if (!kind.equals(event)) {
          throw new IllegalStateException(kind + " instead of " + event);
        }
        return new ObjectMapper().readTree(data.toString());
      }
    }
  }

  /** Reads changes until one is wanted. */
  JsonNode until(Predicate<JsonNode> wanted) throws IOException {
    JsonNode change = next("change");
    while (!wanted.test(change)) {
      change = next("change");
    }
    return change;
  }

  @Override
  public void close() {
    stream.close();
  }
}
