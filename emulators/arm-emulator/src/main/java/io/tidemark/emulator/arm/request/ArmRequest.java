package io.tidemark.emulator.arm.request;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.document.DocumentJson;
import io.tidemark.http.HttpRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One request to the API. Immutable.
 *
 * @param origin scheme, host and port that the client has called, without a slash at the end
 * @param path decoded, without the query
 * @param query decoded parameters by their names
 * @param authorization the header of that name
 * @param ifMatch the header of that name
 * @param ifNoneMatch the header of that name
 * @param body the object of a PUT or a PATCH; empty when there is none or it is no JSON object
 */
public record ArmRequest(
    String method,
    String origin,
    String path,
    Map<String, String> query,
    Optional<String> authorization,
    Optional<String> ifMatch,
    Optional<String> ifNoneMatch,
    Optional<Document> body) {
  public ArmRequest {
    query = Map.copyOf(query);
  }

  /** A request without {@code If-None-Match}. */
  public ArmRequest(
      String method,
      String origin,
      String path,
      Map<String, String> query,
      Optional<String> authorization,
      Optional<String> ifMatch,
      Optional<Document> body) {
    this(method, origin, path, query, authorization, ifMatch, Optional.empty(), body);
  }

  /** A request over HTTP to this origin. */
  public static ArmRequest of(HttpRequest request, String origin) {
    return new ArmRequest(
        request.method(),
        origin,
        request.path(),
        parameters(request.query()),
        request.header("Authorization"),
        request.header("If-Match"),
        request.header("If-None-Match"),
        DocumentJson.read(request.body()));
  }

  /** The parameters of an encoded query; of a repeated one the last value. */
  public static Map<String, String> parameters(String query) {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (String pair : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      if (!pair.isEmpty()) {
        parameters.put(
            decoded(equals < 0 ? pair : pair.substring(0, equals)),
            equals < 0 ? "" : decoded(pair.substring(equals + 1)));
      }
    }
    return parameters;
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return text;
    }
  }

  /** The api-version; empty text when none is given. */
  public String apiVersion() {
    return query.getOrDefault("api-version", "");
  }

  /** The value of {@code $expand}, in lower case; empty without it. */
  public Set<String> expand() {
    return Arrays.stream(query.getOrDefault("$expand", "").split(",", -1))
        .map(each -> each.strip().toLowerCase(Locale.ROOT))
        .filter(each -> !each.isEmpty())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The body; refuses a request without one. */
  public Document requireBody() {
    return body.orElseThrow(
        () ->
            Refusal.invalid("InvalidRequestContent", "The request content is not a JSON object."));
  }

  /** Whether its {@code If-Match} names another state than the one of this etag. */
  public boolean isOfAnotherState(String etag) {
    return ifMatch.filter(tag -> !tag.equals("*") && !tag.equals(etag)).isPresent();
  }

  /** Whether it asks for a change. */
  public boolean isWrite() {
    return !method.equals("GET") && !method.equals("HEAD");
  }
}
