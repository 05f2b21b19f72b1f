package io.tidemark.emulator.ec2.imds;

import io.tidemark.http.HttpResponse;
import java.util.Map;

/**
 * A response of the metadata service.
 *
 * @param headers except length and type
 * @param body text; an error has a small page
 */
public record ImdsAnswer(int status, String contentType, Map<String, String> headers, String body) {
  public ImdsAnswer {
    headers = Map.copyOf(headers);
  }

  static ImdsAnswer text(String body, long ttlSeconds) {
    return new ImdsAnswer(
        200, "text/plain", Map.of(Imds.TTL_HEADER, Long.toString(ttlSeconds)), body);
  }

  static ImdsAnswer error(int status, String reason) {
    String page =
        "<?xml version=\"1.0\" encoding=\"iso-8859-1\"?>\n"
            + "<html><head><title>%1$d - %2$s</title></head>"
            + "<body><h1>%1$d - %2$s</h1></body></html>\n";
    return new ImdsAnswer(
        status,
        "text/html",
        Map.of(),
        page.replace("%1$d", Integer.toString(status)).replace("%2$s", reason));
  }

  public HttpResponse toHttp() {
    HttpResponse response = HttpResponse.of(status, contentType, body);
    for (Map.Entry<String, String> header : headers.entrySet()) {
      response = response.with(header.getKey(), header.getValue());
    }
    return response;
  }
}
