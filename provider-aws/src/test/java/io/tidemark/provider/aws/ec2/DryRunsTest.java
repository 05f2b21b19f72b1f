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

  private static String code(Ec2Api ec2, Ec2Api.Command command) {
    return catchThrowableOfType(Ec2Failure.class, () -> command.send(ec2)).code();
  }

  @Test
  @DisplayName("say whether EC2 would do it, and do nothing")
  void nothingIsDone() throws Ec2Failure {
    Ec2Api api = clients.as(true);
    PoolId subnet = api.describeSubnets(Ec2Filter.NONE, Optional.empty()).items().get(0).id();
    CreateInterfaceRequest request = Copies.with(EmulatedDoors.REQUEST, "subnet", subnet);
    DryRuns trials = clients.dryRuns(SystemTime.instance());

    assertThat(
            code(trials.instances(), ec2 -> ec2.describeSubnets(Ec2Filter.NONE, Optional.empty())))
        .isEqualTo("DryRunOperation");
    assertThat(code(trials.network(), ec2 -> ec2.createNetworkInterface(request)))
        .isEqualTo("DryRunOperation");
    listening.emulator().deny("*", Set.of("CreateNetworkInterface"));
    assertThat(code(trials.network(), ec2 -> ec2.createNetworkInterface(request)))
        .isEqualTo("UnauthorizedOperation");
    assertThat(api.describeNetworkInterfaces(Ec2Filter.NONE, Optional.empty()).items()).isEmpty();
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
    assertThat(right.clockSkew().get()).isEmpty();

    long began = SystemTime.instance().epochMillis();
    code(late.instances(), ec2 -> ec2.describeSubnets(Ec2Filter.NONE, Optional.empty()));
    code(right.instances(), ec2 -> ec2.describeSubnets(Ec2Filter.NONE, Optional.empty()));
    // As exact as the answers' dates and the time that they took allow.
    Duration within = Duration.ofMillis(SystemTime.instance().epochMillis() - began).plusSeconds(3);

    assertThat(late.clockSkew().get().orElseThrow()).isCloseTo(Duration.ofMinutes(10), within);
    assertThat(right.clockSkew().get().orElseThrow()).isCloseTo(Duration.ZERO, within);
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
