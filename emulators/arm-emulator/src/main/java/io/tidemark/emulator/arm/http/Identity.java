package io.tidemark.emulator.arm.http;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.model.ArmModel;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.arm.request.ArmRequest;
import io.tidemark.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The token endpoint of an authority with its discovery document, and the metadata service of a
 * machine. Every client id is a principal, with any secret; the machine's own identity is the
 * principal {@code machine}. Thread-safe.
 */
public record Identity(ArmHandler handler, Machine machine) {
  private static final String TOKEN = "/oauth2/v2.0/token";
  private static final String DISCOVERY = "/v2.0/.well-known/openid-configuration";
  private static final String METADATA = "/metadata/";
  private static final List<String> PROOFS = List.of("client_secret", "client_assertion");

  /**
   * The machine whose metadata service it is.
   *
   * @param environment the cloud's name, such as {@code AzurePublicCloud}
   */
  public record Machine(
      String subscription, String group, String name, String location, String environment) {}

  /**
   * The response; empty for a request that is Resource Manager's.
   *
   * @param origin scheme, host and port that the client has called
   */
  public Optional<ArmReply> answer(HttpRequest request, String origin) {
    String path = request.path();
    if (path.endsWith(DISCOVERY)) {
      return Optional.of(discovery(origin + path.substring(0, path.length() - DISCOVERY.length())));
    }
    if (path.endsWith(TOKEN)) {
      return Optional.of(
          request.method().equals("POST")
              ? token(ArmRequest.parameters(request.body()))
              : refused(405, "invalid_request", "Send a POST."));
    }
    return path.startsWith(METADATA) ? Optional.of(metadata(request)) : Optional.empty();
  }

  private ArmReply metadata(HttpRequest request) {
    if (request.header("Metadata").filter("true"::equals).isEmpty()) {
      return refused(400, "invalid_request", "Required metadata header not specified");
    }
    Map<String, String> query = ArmRequest.parameters(request.query());
    if (query.getOrDefault("api-version", "").isEmpty()) {
      return refused(400, "invalid_request", "Required query variable 'api-version' is missing");
    }
    return switch (request.path()) {
      case "/metadata/identity/oauth2/token" ->
          query.containsKey("resource")
              ? managed(query)
              : refused(400, "invalid_request", "Required query variable 'resource' is missing");
      case "/metadata/instance/compute" -> ArmReply.of(200, compute());
      default -> refused(404, "not_found", request.path() + " is not served");
    };
  }

  /**
   * The endpoints of an authority, as client libraries ask for them before their first token
   * (OpenID Connect Discovery).
   */
  private static ArmReply discovery(String tenant) {
    return ArmReply.of(
        200,
        Document.of("token_endpoint", tenant + TOKEN)
            .with(
                "token_endpoint_auth_methods_supported",
                List.of("client_secret_post", "private_key_jwt"))
            .with("issuer", tenant + "/v2.0")
            .with("authorization_endpoint", tenant + "/oauth2/v2.0/authorize"));
  }

  private ArmReply token(Map<String, String> form) {
    Optional<String> client = Optional.ofNullable(form.get("client_id"));
    boolean proven = PROOFS.stream().anyMatch(each -> !form.getOrDefault(each, "").isEmpty());
    if (!"client_credentials".equals(form.get("grant_type"))) {
      return refused(400, "unsupported_grant_type", "Only client_credentials is served.");
    }
    if (client.isEmpty() || !form.containsKey("scope")) {
      return refused(400, "invalid_request", "client_id or scope is missing.");
    }
    if (!proven) {
      return refused(401, "invalid_client", "client_secret or client_assertion is missing.");
    }
    return ArmReply.of(200, given(client.get()));
  }

  private ArmReply managed(Map<String, String> query) {
    String principal = query.getOrDefault("client_id", "machine");
    long end = handler.now().plus(life()).getEpochSecond();
    return ArmReply.of(
        200,
        given(principal)
            .with("expires_in", Long.toString(life().toSeconds()))
            .with("expires_on", Long.toString(end))
            .with("not_before", Long.toString(handler.now().getEpochSecond()))
            .with("resource", query.getOrDefault("resource", "")));
  }

  private Document given(String principal) {
    String token = handler.use(model -> model.giveToken(principal, handler.now()));
    return Document.of("token_type", "Bearer")
        .with("expires_in", life().toSeconds())
        .with("ext_expires_in", life().toSeconds())
        .with("access_token", token);
  }

  private Duration life() {
    return handler.use(ArmModel::tokenLife);
  }

  private Document compute() {
    return Document.of("azEnvironment", machine.environment())
        .with("location", machine.location())
        .with("name", machine.name())
        .with("resourceGroupName", machine.group())
        .with("subscriptionId", machine.subscription());
  }

  private static ArmReply refused(int status, String error, String description) {
    return ArmReply.of(status, Document.of("error", error).with("error_description", description));
  }
}
