package example.provider;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import example.provider.MachineApi.ApiException.Reason;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The API over HTTP, in place of the cloud's client library. One request per method, without a
 * retry: {@link MachineCalls} decides about those. No answer, or one that is not of the API, is an
 * {@link UncheckedIOException}: it is not known whether the request took effect.
 */
final class HttpMachines implements MachineApi {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final URI endpoint;
  private final HttpClient client = HttpClient.newHttpClient();

  HttpMachines(URI endpoint) {
    this.endpoint = endpoint;
  }

  @Override
  public List<Machine> machines() throws ApiException {
    return machines(Set.of());
  }

  @Override
  public List<Machine> machines(Set<String> ids) throws ApiException {
    String query =
        ids.stream()
            .sorted()
            .map(HttpMachines::encoded)
            .collect(Collectors.joining("&id=", "?id=", ""));
    List<Machine> machines = new ArrayList<>();
    for (JsonNode each :
        send("GET", "/machines" + (ids.isEmpty() ? "" : query), "").path("machines")) {
      machines.add(
          new Machine(
              each.path("id").asText(),
              each.path("network").asText(),
              addresses(each.path("addresses")),
              each.path("limit").asInt()));
    }
    return machines;
  }

  @Override
  public List<Network> networks() throws ApiException {
    List<Network> networks = new ArrayList<>();
    for (JsonNode each : send("GET", "/networks", "").path("networks")) {
      networks.add(new Network(each.path("id").asText(), each.path("free").asInt()));
    }
    return networks;
  }

  @Override
  public AddressSet add(String machineId, int count) throws ApiException {
    ObjectNode body = JSON.createObjectNode().put("count", count);
    return addresses(
        send("POST", "/machines/" + encoded(machineId) + "/addresses", body.toString())
            .path("addresses"));
  }

  @Override
  public void remove(String machineId, AddressSet addresses) throws ApiException {
    ObjectNode body = JSON.createObjectNode();
    ArrayNode list = body.putArray("addresses");
    addresses.forEach(each -> list.add(each.toString()));
    send("DELETE", "/machines/" + encoded(machineId) + "/addresses", body.toString());
  }

  private static String encoded(String id) {
    return URLEncoder.encode(id, UTF_8);
  }

  private static AddressSet addresses(JsonNode list) {
    AddressSet.Builder addresses = AddressSet.builder();
    list.forEach(each -> addresses.add(IpAddress.parse(each.asText())));
    return addresses.build();
  }

  private JsonNode send(String method, String path, String body) throws ApiException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(endpoint + path))
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    try {
      HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
      JsonNode answer = JSON.readTree(response.body());
      if (response.statusCode() >= 400) {
        throw refused(response.statusCode(), answer);
      }
      return answer;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new InterruptedIOException());
    }
  }

  private static ApiException refused(int status, JsonNode answer) throws IOException {
    String name = answer.path("reason").asText();
    Reason reason =
        Stream.of(Reason.values())
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow(() -> new IOException("status " + status + " without a known reason"));
    return new ApiException(reason, answer.path("message").asText());
  }
}
