package io.tidemark.provider.aws.ec2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.model.Ec2ModelOptions;
import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import io.tidemark.time.SystemTime;
import io.tidemark.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Dry runs")
class DryRunsTest {
  private Ec2Emulator.Listening listening;
  private Ec2Clients clients;

  @BeforeEach
  void open() throws IOException {
    listening = Ec2Emulator.listen(0, Ec2ModelOptions.of(1, Ec2InstanceTypes.bundled()));
    clients = EmulatedDoors.clients(listening.endpoint(), "us-east-1", 4);
  }

  @AfterEach
  void close() {
    clients.close();
    listening.close();
  }

  private static String code(Ec2Call call) {
    return catchThrowableOfType(Ec2Failure.class, call::send).code();
  }

  @FunctionalInterface
  private interface Ec2Call {
    void send() throws Ec2Failure;
  }

  @Test
  @DisplayName("say whether EC2 would do it, and do nothing")
  void nothingIsDone() throws Ec2Failure {
    Ec2Api api = clients.api();
    SubnetFilter all = new SubnetFilter(Set.of(), Set.of(), Map.of());
    PoolId subnet = api.describeSubnets(all, Optional.empty()).items().get(0).id();
    CreateInterfaceRequest request =
        new CreateInterfaceRequest(
            subnet, "a trial", List.of(), Map.of(), 1, 0, 0, ConnectionTracking.DEFAULT, "token");
    DryRuns trials = clients.dryRuns(SystemTime.instance());

    assertThat(code(() -> trials.instances().describeSubnets(all, Optional.empty())))
        .isEqualTo("DryRunOperation");
    assertThat(code(() -> trials.network().createNetworkInterface(request)))
        .isEqualTo("DryRunOperation");
    listening.emulator().deny("*", Set.of("CreateNetworkInterface"));
    assertThat(code(() -> trials.network().createNetworkInterface(request)))
        .isEqualTo("UnauthorizedOperation");
    assertThat(
            api.describeNetworkInterfaces(new InterfaceQuery.Everywhere(), Optional.empty())
                .items())
        .isEmpty();
  }

  @Test
  @DisplayName("of operations that know none are not sent")
  void unknown() throws Ec2Failure {
    Ec2Api trials = clients.dryRuns(SystemTime.instance()).instances();

    assertThatThrownBy(() -> trials.assignPrivateIpAddresses(new InterfaceId("eni-1"), 1))
        .hasMessageContaining("AssignPrivateIpAddressesRequest cannot be a dry run");
  }

  @Test
  @DisplayName("tell how far the two clocks are apart")
  void clock() throws Ec2Failure {
    DryRuns late = clients.dryRuns(shifted(Duration.ofMinutes(-10)));
    DryRuns right = clients.dryRuns(SystemTime.instance());
    SubnetFilter all = new SubnetFilter(Set.of(), Set.of(), Map.of());
    assertThat(right.clockSkew()).isEmpty();

    long began = SystemTime.instance().epochMillis();
    code(() -> late.instances().describeSubnets(all, Optional.empty()));
    code(() -> right.instances().describeSubnets(all, Optional.empty()));
    // As exact as the answers' dates and the time that they took allow.
    Duration within = Duration.ofMillis(SystemTime.instance().epochMillis() - began).plusSeconds(3);

    assertThat(late.clockSkew().orElseThrow()).isCloseTo(Duration.ofMinutes(10), within);
    assertThat(right.clockSkew().orElseThrow()).isCloseTo(Duration.ZERO, within);
  }

  private static TimeSource shifted(Duration by) {
    TimeSource real = SystemTime.instance();
    return new TimeSource() {
      @Override
      public long nanos() {
        return real.nanos();
      }

      @Override
      public long epochMillis() {
        return real.epochMillis() + by.toMillis();
      }
    };
  }
}
