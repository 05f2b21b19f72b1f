package io.tidemark.provider.aws.ec2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.model.Ec2ModelOptions;
import io.tidemark.emulator.ec2.pace.Ec2FaultRule;
import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import io.tidemark.provider.aws.ec2.ConnectionSettings.Role;
import io.tidemark.provider.aws.ec2.Ec2Failure.Ending;
import io.tidemark.provider.aws.metadata.HttpInstanceMetadata;
import io.tidemark.provider.aws.metadata.InstanceMetadata;
import io.tidemark.provider.kit.start.MetadataUnavailable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;
import software.amazon.awssdk.auth.credentials.WebIdentityTokenFileCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;

@DisplayName("The clients of the SDK")
class Ec2ClientsTest {
  private static final String REMOTE = "333333333333";

  private static Ec2Emulator.Listening listen() throws IOException {
    return Ec2Emulator.listen(0, Ec2ModelOptions.of(1, Ec2InstanceTypes.bundled()));
  }

  private static Ec2Clients open(ConnectionSettings settings) {
    return new Ec2Clients(settings, "us-east-1", 8, () -> Emulated.account(Emulated.ACCOUNT));
  }

  private static Optional<Role> role(String account) {
    return Optional.of(new Role("arn:aws:iam::" + account + ":role/ipam", Optional.of("external")));
  }

  @Test
  @DisplayName("call EC2 as the account whose credentials are found")
  void own() throws Exception {
    try (Ec2Emulator.Listening listening = listen();
        Ec2Clients clients = open(EmulatedDoors.settings(listening.endpoint()))) {
      assertThat(clients.accountId()).isEqualTo(Emulated.ACCOUNT);
      assertThat(clients.as(true).describeAddresses(Ec2Filter.NONE)).isEmpty();
    }
  }

  @Test
  @DisplayName("take on a role through STS")
  void assumed() throws Exception {
    try (Ec2Emulator.Listening listening = listen();
        Ec2Clients clients =
            open(Copies.with(EmulatedDoors.settings(listening.endpoint()), "role", role(REMOTE)))) {
      assertThat(clients.accountId()).isEqualTo(REMOTE);
      assertThat(clients.accounts().isOne()).isTrue();
    }
  }

  @Test
  @DisplayName("split requests when the network is of another account")
  void split() throws Exception {
    try (Ec2Emulator.Listening listening = listen();
        Ec2Clients clients =
            open(
                Copies.with(
                    EmulatedDoors.settings(listening.endpoint()), "networkRole", role(REMOTE)))) {
      assertThat(clients.accounts().isOne()).isFalse();
      assertThat(clients.identity(false).accountId()).isEqualTo(REMOTE);
      assertThat(clients.as(false).describeSubnets(Ec2Filter.NONE, Optional.empty()).items())
          .isNotNull();
    }
  }

  @Test
  @DisplayName("know that nothing was sent where nobody listens")
  void refused() throws Exception {
    try (Socket bound = new Socket()) { // nobody listens on its port, nor can
      bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      try (Ec2Clients clients =
          open(EmulatedDoors.settings(URI.create("http://127.0.0.1:" + bound.getLocalPort())))) {
        Ec2Api api = clients.as(true);
        Ec2Failure failure =
            catchThrowableOfType(
                Ec2Failure.class, () -> api.describeVpcs(Ec2Filter.NONE, Optional.empty()));
        assertThat(failure.ending()).isEqualTo(Ending.NOT_SENT);
      }
    }
  }

  @Test
  @DisplayName("wait for an answer as long as they are told, and call it lost, once")
  void timeout() throws Exception {
    try (Ec2Emulator.Listening listening = listen();
        Ec2Clients clients =
            open(
                Copies.with(
                    EmulatedDoors.settings(listening.endpoint()),
                    "attemptTimeout",
                    Duration.ofMillis(500)))) {
      listening
          .emulator()
          .faults(List.of(Ec2FaultRule.every("DescribeSubnets", Ec2FaultRule.Kind.HANG)));
      Ec2Api api = clients.as(true);
      Ec2Failure failure =
          catchThrowableOfType(
              Ec2Failure.class, () -> api.describeSubnets(Ec2Filter.NONE, Optional.empty()));
      assertThat(failure.ending()).isEqualTo(Ending.ANSWER_LOST);
    }
  }

  @Test
  @DisplayName("say what to set, and what failed, not which sources of credentials there are")
  void noCredentials() {
    RenewableCredentials none =
        new RenewableCredentials(
            () ->
                AwsCredentialsProviderChain.of(
                    () -> {
                      throw SdkClientException.create("nobody logged in");
                    }));

    assertThatThrownBy(none::resolveCredentials)
        .isInstanceOf(RenewableCredentials.NoCredentials.class)
        .hasMessageStartingWith("there are no AWS credentials: set AWS_ACCESS_KEY_ID and ")
        .hasMessageContaining("nobody logged in")
        .hasMessageNotContainingAny("AwsCredentialsProviderChain(");
  }

  @Test
  @DisplayName("do not repeat what the SDK says of sources that nobody has set up")
  void unusedSources() {
    RenewableCredentials none =
        new RenewableCredentials(
            () ->
                AwsCredentialsProviderChain.of(
                    SystemPropertyCredentialsProvider.create(),
                    WebIdentityTokenFileCredentialsProvider.create()));

    assertThatThrownBy(none::resolveCredentials)
        .hasMessageEndingWith("or give the Pod or the instance a role");
  }

  @Test
  @DisplayName("send nothing to the metadata service where the variable of the SDK disables it")
  void withoutMetadata() {
    System.setProperty("aws.disableEc2Metadata", "true");
    try {
      InstanceMetadata metadata =
          HttpInstanceMetadata.at(
              URI.create("http://127.0.0.1:9"), RegionChoice.isMetadataDisabled());

      assertThatThrownBy(metadata::region)
          .isInstanceOf(MetadataUnavailable.class)
          .hasMessageContaining("disabled by AWS_EC2_METADATA_DISABLED");
    } finally {
      System.clearProperty("aws.disableEc2Metadata");
    }
  }

  @DisplayName("work in the region of settings, environment, profile, in this order")
  @ParameterizedTest(name = "{0} {1} {2} -> {3}")
  @CsvSource({
    "eu-west-1, eu-west-2, eu-west-3, eu-west-1",
    "'', eu-west-2, eu-west-3, eu-west-2",
    "'', '', eu-west-3, eu-west-3",
    "'', '', '', ''"
  })
  void region(String setting, String environment, String profile, String expected) {
    assertThat(
            RegionChoice.named(
                    Optional.of(setting).filter(text -> !text.isEmpty()),
                    () -> provider(environment),
                    () -> provider(profile))
                .orElse(""))
        .isEqualTo(expected);
  }

  private static AwsRegionProvider provider(String region) {
    return () -> {
      if (region.isEmpty()) {
        throw SdkClientException.create("no region");
      }
      return Region.of(region);
    };
  }
}
