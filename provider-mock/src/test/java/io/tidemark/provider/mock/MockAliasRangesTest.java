package io.tidemark.provider.mock;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.Cidr;
import io.tidemark.provider.mock.cloud.CloudClient;
import io.tidemark.provider.mock.cloud.CloudException;
import io.tidemark.provider.mock.cloud.CloudOperation;
import io.tidemark.spi.AliasRangeOutcome;
import io.tidemark.spi.Capability;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.NodeAliasRanges;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The alias ranges of the mock cloud")
class MockAliasRangesTest {
  private static final InstanceId INSTANCE = new InstanceId("i-a");
  private static final Cidr RANGE = Cidr.parse("10.244.0.0/24");

  private static ProviderWorld world(String faults) {
    ProviderWorld world =
        ProviderWorld.withFaults(
            Stream.of(faults.split(" ", -1))
                .filter(each -> !each.equals("-"))
                .toArray(String[]::new));
    world.provider.aliasRanges();
    world.node("a", "m5.large");
    return world;
  }

  private static String add(ProviderWorld world) {
    NodeAliasRanges ranges = world.provider.aliasRanges().orElseThrow();
    AliasRangeOutcome outcome = world.ended(ranges.add(INSTANCE, RANGE, world.context()));
    return outcome instanceof AliasRangeOutcome.Refused refused
        ? "Refused " + refused.failure().kind()
        : outcome.getClass().getSimpleName();
  }

  @Test
  @DisplayName("NC-AM28 the factory has alias ranges exactly as the provider has them")
  void factory() {
    ProviderWorld world = ProviderWorld.calm();
    assertThat(new MockProviderFactory().hasAliasRanges())
        .isEqualTo(world.provider.capabilities().contains(Capability.ALIAS_RANGES))
        .isTrue();
  }

  @DisplayName("NC-AM29 mock-faults on its requests have the endings of the contract")
  @ParameterizedTest(name = "{0}: {1}, then {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          -                                                | Added             | AlreadyOurs | 2
          AddAliasRange#1=lost                             | Added             | AlreadyOurs | 2
          AddAliasRange#1=lost DescribeNetworkInterfaces#2=fail:Unavailable | Unknown | AlreadyOurs | 1
          AddAliasRange#1=lost-request                     | Unknown           | Added       | 2
          AddAliasRange#1=throttle                         | Refused THROTTLED | Added       | 2
          AddAliasRange#1=fail:InvalidInstanceID.NotFound  | Refused NOT_FOUND | Added       | 2
          AddAliasRange@i-a#1=fail:InvalidAliasRange.InUse | Taken             | Added       | 2
          AddAliasRange@i-a#1=fail:InvalidAliasRange.InUse DescribeNetworkInterfaces#2=fail:Unavailable | Refused TRANSIENT | Added | 2
          AddAliasRange#1=hang                             | Unknown           | Added       | 2
          AddAliasRange#1=hang-done                        | Added             | AlreadyOurs | 2
          AddAliasRange#1=hang-done DescribeNetworkInterfaces#2=hang | Added         | AlreadyOurs | 2
          AddAliasRange@i-b=fail:InternalError             | Added             | AlreadyOurs | 2
          """)
  void faults(String faults, String first, String second, long requests) {
    ProviderWorld world = world(faults);
    assertThat(add(world)).isEqualTo(first);
    assertThat(add(world)).isEqualTo(second);
    assertThat(world.cloud.state().attachedTo("i-a").get(0).aliasRanges()).containsExactly(RANGE);
    assertThat(world.cloud.calls().get(CloudOperation.ADD_ALIAS_RANGE)).isEqualTo(requests);
  }

  @Test
  @DisplayName("NC-AM29 a range of any length is refused beside one that it shares addresses with")
  void overlaps() throws Exception {
    ProviderWorld world = world("-");
    new CloudClient(world.cloud).addAliasRange("i-a", Cidr.parse("10.244.4.0/22"));
    new CloudClient(world.cloud).addAliasRange("i-a", Cidr.parse("10.244.0.0/23"));
    for (String taken :
        List.of(
            "10.244.4.0/22", "10.244.7.128/25", "10.244.0.0/16", "10.244.0.0/24", "10.0.0.0/8")) {
      assertThat(refused(world, taken)).as(taken).isTrue();
    }
    for (String free : List.of("10.244.2.0/23", "10.244.8.1/32", "fd00::/80")) {
      assertThat(refused(world, free)).as(free).isFalse();
    }
    assertThat(world.cloud.state().attachedTo("i-a").get(0).aliasRanges())
        .extracting(Cidr::toString)
        .containsExactly(
            "10.244.4.0/22", "10.244.0.0/23", "10.244.2.0/23", "10.244.8.1/32", "fd00::/80");
  }

  private static boolean refused(ProviderWorld world, String cidr) throws Exception {
    try {
      new CloudClient(world.cloud).addAliasRange("i-a", Cidr.parse(cidr));
      return false;
    } catch (CloudException e) {
      return e.code().wire().startsWith("InvalidAliasRange.");
    }
  }
}
