package io.tidemark.emulator.ec2.imds;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.ListenOptions;
import io.tidemark.emulator.ec2.SdkClients;
import io.tidemark.emulator.ec2.World;
import io.tidemark.testing.Hang;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.InstanceProfileCredentialsProvider;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.utils.StringInputStream;

@DisplayName("The instance metadata service on its port")
class ImdsHttpTest {
  /** Without it the SDK waits for an answer for one second. */
  private static final ProfileFile PATIENT =
      ProfileFile.builder()
          .type(ProfileFile.Type.CONFIGURATION)
          .content(
              new StringInputStream("[default]\nmetadata_service_timeout = " + Hang.SECONDS + "\n"))
          .build();

  private final HttpClient client = HttpClient.newHttpClient();
  private Ec2Emulator.Listening listening;
  private URI metadata;

  @BeforeEach
  void listen() throws IOException {
    listening =
        Ec2Emulator.listen(
            ListenOptions.of(0, World.options())
                .withMetadata(0, new Imds.Setting(Optional.empty(), Optional.of("node"))));
    metadata = listening.metadataEndpoint().orElseThrow();
  }

  @AfterEach
  void close() {
    listening.close();
  }

  @Test
  @DisplayName("serves the SDK's instance profile provider, with whose credentials EC2 is called")
  void sdk() throws Exception {
    try (Ec2Client ec2 = SdkClients.http(listening.endpoint(), World.ACCOUNT)) {
      ec2.runInstances(
          r -> r.imageId(World.IMAGE).instanceType("m5.large").minCount(1).maxCount(1));
    }
    try (InstanceProfileCredentialsProvider provider =
        InstanceProfileCredentialsProvider.builder()
            .endpoint(metadata.toString())
            .profileFile(PATIENT)
            .profileName("default")
            .build()) {
      AwsCredentials credentials = provider.resolveCredentials();
      assertThat(credentials).isInstanceOf(AwsSessionCredentials.class);
      assertThat(credentials.accessKeyId()).startsWith("ASIA");
      try (Ec2Client role = SdkClients.inProcess(listening.emulator(), provider)) {
        assertThat(role.describeInstances().reservations()).hasSize(1);
      }
    }
  }

  @Test
  @DisplayName("answers GET and HEAD with a token, and 401 without")
  void wire() throws Exception {
    HttpResponse<String> token =
        send("PUT", "/latest/api/token", "X-aws-ec2-metadata-token-ttl-seconds", "60");
    assertThat(token.statusCode()).isEqualTo(200);
    HttpResponse<String> root = send("GET", "/", "X-aws-ec2-metadata-token", token.body());
    assertThat(root.body()).isEqualTo("latest");
    assertThat(root.headers().firstValue("content-type")).contains("text/plain");
    assertThat(send("HEAD", "/", "X-aws-ec2-metadata-token", token.body()).statusCode())
        .isEqualTo(200);
    HttpResponse<String> refused = send("GET", "/", "Accept", "*/*");
    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(refused.body()).contains("401 - Unauthorized");
    assertThat(
            send("GET", "/latest/meta-data/instance-id", "X-aws-ec2-metadata-token", token.body())
                .statusCode())
        .as("no instance yet")
        .isEqualTo(404);
  }

  private HttpResponse<String> send(String method, String path, String header, String value)
      throws Exception {
    return client.send(
        HttpRequest.newBuilder(metadata.resolve(path))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .header(header, value)
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
