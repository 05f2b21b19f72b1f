package io.tidemark.daemon.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.crd.CrdMode;
import io.tidemark.http.HttpLimits;
import io.tidemark.http.HttpListener;
import io.tidemark.http.HttpReply;
import io.tidemark.http.HttpRequest;
import io.tidemark.http.HttpResponse;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.testing.Hang;
import io.tidemark.time.SystemTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(5 * Hang.SECONDS)
@DisplayName("The id of this instance")
class InstanceMetadataTest {
  private static final HttpLimits LIMITS =
      new HttpLimits(
          10, 8 << 10, 8 << 10, Hang.LIMIT, Hang.LIMIT, Hang.LIMIT, Duration.ofSeconds(1));

  private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
  private HttpListener service;
  private final AtomicInteger failures = new AtomicInteger();
  private volatile String id = "i-0a1";

  @BeforeEach
  void start() throws IOException {
    service =
        HttpListener.start(
            "metadata",
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            LIMITS,
            this::answer);
  }

  @AfterEach
  void stop() {
    service.close();
  }

  private void answer(HttpRequest request, HttpReply reply) {
    asked.add(request.method() + " " + request.path());
    boolean permitted =
        switch (request.path()) {
          case "/latest/api/token" ->
              request.header("X-aws-ec2-metadata-token-ttl-seconds").isPresent();
          case "/latest/meta-data/instance-id" ->
              request.header("X-aws-ec2-metadata-token").equals(Optional.of("secret"));
          default ->
              request.query().endsWith("&format=text")
                  && request.header("Metadata").equals(Optional.of("true"));
        };
    int status = failures.getAndDecrement() > 0 ? 503 : permitted ? 200 : 401;
    String text = request.path().endsWith("token") ? "secret" : id;
    reply.send(HttpResponse.of(status, "text/plain", text));
  }

  private URI endpoint() {
    return URI.create("http://127.0.0.1:" + service.port());
  }

  private Machine read(CrdMode mode, Optional<String> set) throws InterruptedException {
    return Machine.read(mode, new Machine.Settings(set, endpoint(), true), SystemTime.instance());
  }

  /** The id that the service gives, however long it takes. */
  private Optional<String> asked(CrdMode mode) throws InterruptedException {
    return new MachineMetadata(endpoint(), Hang.LIMIT).instanceId(mode);
  }

  @Test
  @DisplayName("A84 On EC2 it is asked of the metadata service, with a token")
  void ec2() throws Exception {
    assertThat(asked(CrdMode.ENI)).contains("i-0a1");
    assertThat(asked).containsExactly("PUT /latest/api/token", "GET /latest/meta-data/instance-id");
    asked.clear();
    read(CrdMode.ENI, Optional.empty());
    Eventually.holds("it is asked at the start", () -> asked.contains("PUT /latest/api/token"));
  }

  @Test
  @DisplayName("A84 On Azure it is the id of the resource")
  void azure() throws Exception {
    id = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/n1\n";
    assertThat(asked(CrdMode.AZURE)).contains(id.strip());
    assertThat(asked).containsExactly("GET /metadata/instance/compute/resourceId");
  }

  @Test
  @DisplayName("A84 A setting is preferred, and without a cloud nothing is asked or checked")
  void notAsked() throws Exception {
    assertThat(read(CrdMode.ENI, Optional.of("i-9")).instance()).contains("i-9");
    assertThat(read(CrdMode.CRD, Optional.of("i-9"))).isEqualTo(Machine.ANY);
    assertThat(asked).isEmpty();
  }

  @Test
  @DisplayName("A84 A service that fails is asked three times; then no id is checked")
  void failing() throws Exception {
    failures.set(2);
    assertThat(asked(CrdMode.ENI)).contains("i-0a1");
    failures.set(3);
    asked.clear();
    assertThat(asked(CrdMode.ENI)).isEmpty();
    assertThat(asked).hasSize(3);
  }

  @Test
  @DisplayName("A84 An answer that is no id, and a service that is silent, give none")
  void noId() throws Exception {
    id = "<html> an error </html>";
    assertThat(asked(CrdMode.ENI)).isEmpty();
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      URI endpoint = URI.create("http://127.0.0.1:" + silent.getLocalPort());
      assertThat(new MachineMetadata(endpoint, Duration.ofMillis(50)).instanceId(CrdMode.AZURE))
          .isEmpty();
    }
  }
}
