package example.provider;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import example.provider.MachineApi.ApiException;
import example.provider.MachineApi.Machine;
import example.provider.MachineApi.Network;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.ProviderFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The API of the imaginary cloud over HTTP")
class HttpMachinesTest {
  private final List<String> requests = new ArrayList<>();
  private int status = 200;
  private String answer = "{}";
  private HttpServer server;
  private HttpMachines machines;

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
          requests.add(
              (exchange.getRequestMethod() + ' ' + exchange.getRequestURI() + ' ' + body).strip());
          exchange.sendResponseHeaders(status, 0);
          exchange.getResponseBody().write(answer.getBytes(UTF_8));
          exchange.close();
        });
    server.start();
    machines = new HttpMachines(URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private static AddressSet addresses(String... texts) {
    AddressSet.Builder all = AddressSet.builder();
    List.of(texts).forEach(each -> all.add(IpAddress.parse(each)));
    return all.build();
  }

  @Test
  @DisplayName("reads machines, all or some, and networks")
  void reads() throws ApiException {
    answer =
        "{\"machines\":[{\"id\":\"m\",\"network\":\"n\",\"addresses\":[\"10.0.0.7\"],\"limit\":5}]}";
    Machine machine = new Machine("m", "n", addresses("10.0.0.7"), 5);
    assertThat(machines.machines()).containsExactly(machine);
    assertThat(machines.machines(Set.of("m", "a/b"))).containsExactly(machine);
    answer = "{\"networks\":[{\"id\":\"n\",\"free\":9}]}";
    assertThat(machines.networks()).containsExactly(new Network("n", 9));
    assertThat(requests)
        .containsExactly("GET /machines", "GET /machines?id=a%2Fb&id=m", "GET /networks");
  }

  @Test
  @DisplayName("of a machine that is listed twice, by pages that overlap, the last counts")
  void twice() {
    Machine last = new Machine("m", "n", addresses("10.0.0.7"), 5);
    assertThat(MinimalProvider.shown(List.of(new Machine("m", "n", addresses(), 5), last)))
        .containsExactly(Map.entry(new InstanceId("m"), List.of(FixedInterface.of(last))));
  }

  @Test
  @DisplayName("adds and removes addresses, one request each")
  void changes() throws ApiException {
    answer = "{\"addresses\":[\"10.0.0.7\",\"10.0.0.8\"]}";
    assertThat(machines.add("m", 2)).isEqualTo(addresses("10.0.0.7", "10.0.0.8"));
    machines.remove("m", addresses("10.0.0.8"));
    assertThat(requests)
        .containsExactly(
            "POST /machines/m/addresses {\"count\":2}",
            "DELETE /machines/m/addresses {\"addresses\":[\"10.0.0.8\"]}");
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("a refusal of the API has its reason")
  void refused(ApiException.Reason reason) {
    status = 409;
    answer = "{\"reason\":\"" + reason + "\",\"message\":\"words\"}";
    assertThatThrownBy(() -> machines.add("m", 1))
        .isInstanceOf(ApiException.class)
        .hasMessage(reason + ": words");
  }

  @ParameterizedTest
  @ValueSource(strings = {"<html>", "{}", "{\"reason\":\"OTHER\"}"})
  @DisplayName("what a gateway says instead is no refusal: the request may have had an effect")
  void unknown(String other) {
    status = 502;
    answer = other;
    assertThatThrownBy(() -> machines.add("m", 1)).isInstanceOf(UncheckedIOException.class);
  }

  @Test
  @DisplayName("the provider is found by its name")
  void found() {
    assertThat(ServiceLoader.load(ProviderFactory.class))
        .extracting(ProviderFactory::name)
        .contains("minimal");
  }
}
