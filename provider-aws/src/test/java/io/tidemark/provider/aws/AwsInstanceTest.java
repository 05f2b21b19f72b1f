package io.tidemark.provider.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigSource;
import io.tidemark.emulator.ec2.model.Ec2ModelOptions;
import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import io.tidemark.metrics.Meters;
import io.tidemark.provider.aws.ec2.Ec2Accounts;
import io.tidemark.provider.aws.ec2.Ec2Connection;
import io.tidemark.provider.aws.ec2.EmulatedEc2;
import io.tidemark.provider.aws.eni.InstanceInterfaces;
import io.tidemark.provider.aws.metadata.InstanceInterface;
import io.tidemark.provider.aws.metadata.InstancePlace;
import io.tidemark.provider.kit.start.MetadataUnavailable;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.StandardCloudCallsFactory;
import io.tidemark.spi.OperatorNotices;
import io.tidemark.spi.ProviderContext;
import io.tidemark.time.EffectFate;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("EC2 for a program that works for the instance it runs on")
class AwsInstanceTest {
  private static final Duration TRAVEL = Duration.ofMillis(5);

  private final VirtualTime time = new VirtualTime(1_767_225_600_000L);
  private final EmulatedEc2 ec2 =
      new EmulatedEc2(time, Ec2ModelOptions.of(1, Ec2InstanceTypes.bundled()));
  private final String subnet = ec2.subnet("10.0.0.0/24");
  private final String instance = ec2.launch("m5.large", subnet, Map.of());

  /** Metadata by path; how often the service stays silent before it answers. */
  private final Map<String, String> metadata = new HashMap<>();

  private int silent;
  private int asked;
  private boolean closed;
  private String region = "";

  private AwsInstance program(Map<String, String> settings) {
    ConfigSource source = ConfigSource.of(settings);
    Random random = new Random(3);
    return new AwsInstance(
        new ProviderContext(
            "",
            source,
            time,
            random,
            StandardCloudCallsFactory.unlimited(
                time, time.effects((site, limit) -> EffectFate.answered(TRAVEL, TRAVEL)), random),
            Meters.none(),
            OperatorNotices.NONE),
        AwsConfig.read(source),
        this::metadata,
        this::open);
  }

  private Optional<String> metadata(String path) throws MetadataUnavailable {
    asked++;
    if (silent > 0) {
      silent--;
      throw MetadataUnavailable.unusable("silent");
    }
    return Optional.ofNullable(metadata.get(path));
  }

  private Ec2Connection open(String in) {
    region = in;
    return new Ec2Connection() {
      @Override
      public boolean asksForAccount() {
        return false;
      }

      @Override
      public String accountId() {
        throw new IllegalStateException("nobody needs the account");
      }

      @Override
      public Ec2Accounts accounts() {
        return Ec2Accounts.one(ec2.api());
      }

      @Override
      public void close() {
        closed = true;
      }
    };
  }

  /** Paths and what the service tells there; "mac/" stands for the directory of the interface. */
  private void told(String lines) {
    for (String line : lines.lines().toList()) {
      String[] pair = line.split(" ", 2);
      metadata.put(
          pair[0].replace("mac/", "network/interfaces/macs/02:00:00:00:00:01/"),
          pair[1].replace(' ', '\n'));
    }
  }

  private void describe() {
    told(
        """
        local-ipv4 10.0.0.4
        ipv6 2001:db8::4
        instance-id %s
        instance-type m5.large
        mac 02:00:00:00:00:01
        placement/availability-zone us-east-1a
        placement/region us-east-1
        mac/vpc-id %s
        mac/vpc-ipv4-cidr-blocks 10.0.0.0/16
        mac/vpc-ipv6-cidr-blocks 2001:db8::/56 2001:db8:1::/56
        """
            .formatted(instance, ec2.vpc()));
  }

  private <T> CallResult<T> await(CompletionStage<CallResult<T>> stage) {
    time.runUntil(time.nanos() + Duration.ofMinutes(1).toNanos());
    return stage.toCompletableFuture().getNow(null);
  }

  @Test
  @DisplayName(
      "Who it is comes from the metadata, at the third attempt if need be; the rest by EC2")
  void identity() {
    describe();
    silent = 2;
    AwsInstance program = program(Map.of());
    InstancePlace place = await(program.place()).answer().orElseThrow();
    assertThat(place.instance().text()).isEqualTo(instance);
    assertThat(place.type()).isEqualTo("m5.large");
    assertThat(place.vpcCidrs()).hasToString("[10.0.0.0/16, 2001:db8::/56, 2001:db8:1::/56]");
    assertThat(List.of(place.ipv4(), place.ipv6())).containsExactly("10.0.0.4", "2001:db8::4");
    InstanceInterfaces interfaces = program.interfaces(place);
    assertThat(region).isEqualTo("us-east-1");
    List<InstanceInterface> read = await(interfaces.read()).answer().orElseThrow();
    assertThat(read).hasSize(1);
    assertThat(interfaces.limits().orElseThrow().ipv4PerInterface()).isEqualTo(10);
    program.close();
    assertThat(closed).isTrue();
    assertThat(await(interfaces.read()).refusal()).isPresent();
  }

  @Test
  @DisplayName("A service that stays silent is asked three times; a region that is set, not at all")
  void silent() {
    silent = Integer.MAX_VALUE;
    AwsInstance program = program(Map.of("aws-region", "eu-central-1"));
    assertThat(await(program.place()).refusal().orElseThrow().detail()).contains("silent");
    assertThat(asked).isEqualTo(3);
    silent = 0;
    describe();
    metadata.remove("placement/region");
    assertThat(await(program.place()).answer().orElseThrow().region()).isEqualTo("eu-central-1");
  }

  @Test
  @DisplayName("The metadata show interfaces with their addresses; what is unreadable is refused")
  void byMetadata() {
    told(
        """
        network/interfaces/macs/ 02:00:00:00:00:01/
        mac/interface-id eni-1
        mac/device-number 0
        mac/subnet-id subnet-1
        mac/local-ipv4s 10.0.0.4 10.0.0.5 10.0.0.6
        mac/ipv4-prefix 10.0.0.16/28
        """);
    AwsInstance program = program(Map.of());
    InstanceInterface one = await(program.interfacesByMetadata()).answer().orElseThrow().get(0);
    assertThat(one.singles().toList()).hasToString("[10.0.0.5, 10.0.0.6]");
    assertThat(one.prefixes()).hasToString("[10.0.0.16/28]");
    told("mac/local-ipv4s <html> <html>");
    assertThat(await(program.interfacesByMetadata()).refusal().orElseThrow().detail())
        .contains("eni-1", "not readable");
  }

  @Test
  @DisplayName("All that is wrong with its settings is noted")
  void settings() {
    ConfigProblems problems = new ConfigProblems();
    AwsInstance.check(
        ConfigSource.of(Map.of("aws-region", "Frankfurt", "subnet-ids-filter", "10.0.0.0/8")),
        problems);
    assertThat(problems.found()).hasSize(2);
  }
}
