package io.tidemark.provider.aws.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.ListenOptions;
import io.tidemark.emulator.ec2.imds.Imds;
import io.tidemark.emulator.ec2.model.Ec2ModelOptions;
import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.kit.start.MetadataUnavailable;
import io.tidemark.spi.InstanceId;
import io.tidemark.testing.Hang;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.model.Instance;

@DisplayName("The metadata of the instance that we run on")
class HttpInstanceMetadataTest {
  /** Two requests take it, half each. */
  private static final Duration PATIENT = Hang.LIMIT.multipliedBy(2);

  @Test
  @DisplayName("tell region, instance and the fields that agents publish")
  void fields() throws Exception {
    try (Ec2Emulator.Listening listening =
            Ec2Emulator.listen(
                ListenOptions.of(0, Ec2ModelOptions.of(1, Ec2InstanceTypes.bundled()))
                    .withMetadata(0, new Imds.Setting(Optional.empty(), Optional.empty())));
        Ec2Client ec2 =
            Ec2Client.builder()
                .httpClient(
                    UrlConnectionHttpClient.builder()
                        .connectionTimeout(Hang.LIMIT)
                        .socketTimeout(Hang.LIMIT)
                        .build())
                .endpointOverride(listening.endpoint())
                .region(Region.EU_CENTRAL_1)
                .credentialsProvider(
                    StaticCredentialsProvider.create(
                        AwsBasicCredentials.create("111111111111", "secret")))
                .build()) {
      Instance instance =
          ec2.runInstances(
                  r ->
                      r.imageId("ami-0123456789abcdef0")
                          .instanceType("m5.large")
                          .minCount(1)
                          .maxCount(1))
              .instances()
              .get(0);
      InstanceMetadata metadata =
          new HttpInstanceMetadata(listening.metadataEndpoint().orElseThrow(), PATIENT);
      assertThat(metadata.region()).isEqualTo("eu-central-1");
      assertThat(metadata.instanceId()).isEqualTo(instance.instanceId());
      assertThat(metadata.clusterName()).isEmpty();
      assertThat(metadata.place(Optional.empty()))
          .isEqualTo(
              new InstancePlace(
                  new InstanceId(instance.instanceId()),
                  "m5.large",
                  "eu-central-1",
                  instance.vpcId(),
                  instance.placement().availabilityZone(),
                  List.of(Cidr.parse("172.31.0.0/16")),
                  instance.privateIpAddress(),
                  ""));
      var own = instance.networkInterfaces().get(0);
      assertThat(metadata.interfaces())
          .containsExactly(
              new InstanceInterface(
                  own.networkInterfaceId(),
                  0,
                  0,
                  own.macAddress(),
                  own.subnetId(),
                  InstanceInterface.Use.PODS,
                  false,
                  AddressSet.of(),
                  List.of(),
                  List.of()));
      assertThat(metadata.read("no/such/thing")).isEmpty();
    }
  }

  @Test
  @DisplayName("are refused when they are not given")
  void notGiven() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          boolean token = exchange.getRequestURI().getPath().endsWith("token");
          exchange.sendResponseHeaders(token ? 200 : 403, 1);
          exchange.getResponseBody().write('t');
          exchange.close();
        });
    server.start();
    try {
      InstanceMetadata metadata =
          new HttpInstanceMetadata(
              URI.create("http://127.0.0.1:" + server.getAddress().getPort()), PATIENT);
      assertThat(catchThrowableOfType(MetadataUnavailable.class, metadata::instanceId))
          .hasMessageContaining("403");
    } finally {
      server.stop(0);
    }
  }
}
