package io.tidemark.emulator.ec2.imds;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.SdkClients;
import io.tidemark.emulator.ec2.World;
import io.tidemark.http.HttpRequest;
import io.tidemark.http.HttpResponse;
import io.tidemark.time.VirtualTime;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.services.ec2.Ec2Client;

@DisplayName("The instance metadata service")
class ImdsTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String TOKEN = "x-aws-ec2-metadata-token";
  private static final String TTL = "x-aws-ec2-metadata-token-ttl-seconds";

  private final VirtualTime time =
      new VirtualTime(Instant.parse("2026-01-01T00:00:00Z").toEpochMilli());
  private final Ec2Emulator emulator = Ec2Emulator.in(time, World.options());
  private final Ec2Client ec2 = SdkClients.inProcess(emulator, World.ACCOUNT);
  private final Function<HttpRequest, HttpResponse> imds =
      emulator.imds(new Imds.Setting(Optional.empty(), Optional.of("node")));

  private String instance = "";

  @BeforeEach
  void launch() {
    instance =
        ec2.runInstances(
                r -> r.imageId(World.IMAGE).instanceType("m5.large").minCount(1).maxCount(1))
            .instances()
            .get(0)
            .instanceId();
  }

  @AfterEach
  void close() {
    ec2.close();
  }

  @Test
  @DisplayName("gives out the role's credentials, new ones before the old ones end")
  void role() throws Exception {
    assertThat(read("iam/security-credentials/")).isEqualTo("node");
    JsonNode first = JSON.readTree(read("iam/security-credentials/node"));
    assertThat(first.path("Code").asText()).isEqualTo("Success");
    assertThat(first.path("Type").asText()).isEqualTo("AWS-HMAC");
    assertThat(first.path("LastUpdated").asText()).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(first.path("Expiration").asText()).isEqualTo("2026-01-01T06:00:00Z");
    try (Ec2Client role =
        SdkClients.inProcess(
            emulator,
            StaticCredentialsProvider.create(
                AwsSessionCredentials.create(
                    first.path("AccessKeyId").asText(),
                    first.path("SecretAccessKey").asText(),
                    first.path("Token").asText())))) {
      assertThat(role.describeInstances().reservations()).hasSize(1);
    }
    assertThat(JSON.readTree(read("iam/info")).path("InstanceProfileArn").asText())
        .isEqualTo("arn:aws:iam::111111111111:instance-profile/node");

    time.runUntil(Duration.ofHours(4).toNanos());
    assertThat(JSON.readTree(read("iam/security-credentials/node"))).isEqualTo(first);
    time.runUntil(Duration.ofHours(5).toNanos());
    JsonNode second = JSON.readTree(read("iam/security-credentials/node"));
    assertThat(second.path("Expiration").asText()).isEqualTo("2026-01-01T11:00:00Z");
    assertThat(second.path("AccessKeyId")).isNotEqualTo(first.path("AccessKeyId"));

    Function<HttpRequest, HttpResponse> withoutRole =
        emulator.imds(new Imds.Setting(Optional.empty(), Optional.empty()));
    String token = token(withoutRole, "60");
    assertThat(
            withoutRole
                .apply(
                    World.metadata(
                        "GET", "/latest/meta-data/iam/security-credentials/", TOKEN, token))
                .status())
        .isEqualTo(404);
  }

  @DisplayName("gives a token for 1 second to 6 hours (How IMDSv2 works)")
  @ParameterizedTest(name = "TTL {0}: {1}")
  @CsvSource({
    "1, 200",
    "21600, 200",
    "0, 400",
    "21601, 400",
    "-1, 400",
    "'', 400",
    "x, 400",
    "1.5, 400",
    "99999999999, 400"
  })
  void ttl(String ttl, int status) {
    HttpResponse answer = imds.apply(World.metadata("PUT", "/latest/api/token", TTL, ttl));
    assertThat(answer.status()).isEqualTo(status);
    if (status == 200) {
      assertThat(answer.headers()).containsEntry(Imds.TTL_HEADER, ttl);
      assertThat(get("/latest/meta-data/instance-id", World.body(answer)).status()).isEqualTo(200);
    }
  }

  @Test
  @DisplayName("a token ends after its time, and what is left is told with every answer")
  void tokenEnds() {
    String token = token("10");
    time.runUntil(Duration.ofMillis(9_500).toNanos());
    HttpResponse answer = get("/latest/meta-data/instance-id", token);
    assertThat(World.body(answer)).isEqualTo(instance);
    assertThat(answer.headers()).containsEntry(Imds.TTL_HEADER, "0");
    time.runUntil(Duration.ofSeconds(10).toNanos());
    assertThat(get("/latest/meta-data/instance-id", token).status()).isEqualTo(401);
  }

  @DisplayName("refuses what is no IMDSv2 request")
  @ParameterizedTest(name = "{0} {1} {2}: {4}")
  @CsvSource({
    "GET, /latest/meta-data/instance-id, x, x, 401",
    "GET, /latest/meta-data/instance-id, X-aws-ec2-metadata-token, unknown, 401",
    "GET, /nothing, x, x, 401",
    "PUT, /latest/api/token, x, x, 400",
    "PUT, /latest/meta-data/, X-aws-ec2-metadata-token-ttl-seconds, 60, 404",
    "POST, /latest/api/token, X-aws-ec2-metadata-token-ttl-seconds, 60, 405",
    "DELETE, /latest/meta-data/, x, x, 405"
  })
  void refused(String method, String path, String header, String value, int status) {
    assertThat(imds.apply(World.metadata(method, path, header, value)).status()).isEqualTo(status);
  }

  @Test
  @DisplayName("gives no token to who forwards for others (X-Forwarded-For)")
  void forwarded() {
    Map<String, String> headers = Map.of(TTL, "60", "x-forwarded-for", "203.0.113.9");
    HttpRequest request =
        new HttpRequest(
            "PUT", "/latest/api/token", "", headers, InetAddress.getLoopbackAddress(), "");
    assertThat(imds.apply(request).status()).isEqualTo(403);
  }

  private String token(String ttl) {
    return token(imds, ttl);
  }

  private static String token(Function<HttpRequest, HttpResponse> from, String ttl) {
    HttpResponse answer = from.apply(World.metadata("PUT", "/latest/api/token", TTL, ttl));
    assertThat(answer.status()).isEqualTo(200);
    return World.body(answer);
  }

  private HttpResponse get(String path, String token) {
    return imds.apply(World.metadata("GET", path, TOKEN, token));
  }

  private String read(String path) {
    HttpResponse answer = get("/latest/meta-data/" + path, token("60"));
    assertThat(answer.status()).as(path).isEqualTo(200);
    return World.body(answer);
  }
}
