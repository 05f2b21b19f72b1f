package io.tidemark.provider.mock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.config.Option;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.mock.ProviderWorld.MapConfig;
import io.tidemark.provider.mock.cloud.CloudException.Code;
import io.tidemark.provider.mock.cloud.CloudOperation;
import io.tidemark.provider.mock.cloud.FaultPlan;
import io.tidemark.provider.mock.cloud.FaultScript;
import io.tidemark.provider.mock.cloud.MockSubnet;
import io.tidemark.spi.ProviderFactory;
import io.tidemark.testing.ErrorDocs;
import io.tidemark.testing.Repository;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Settings of the mock provider")
class MockConfigTest {
  private static MockConfig read(String... keysAndValues) {
    java.util.TreeMap<String, String> values = new java.util.TreeMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      values.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return MockConfig.read(new MapConfig(values));
  }

  @Test
  @DisplayName("Without any setting: a calm cloud without limits")
  void defaults() {
    assertThat(read())
        .isEqualTo(
            new MockConfig(
                List.of(), Map.of(), Duration.ZERO, 0, List.of(), Duration.ofMinutes(2)));
  }

  @Test
  @DisplayName("Every key is read")
  void everyKey() {
    MockConfig config =
        read(
            "mock-subnets", "s-1=10.0.0.0/24;zone=z;vpc=v;tag.k=v, s-2=10.0.1.0/24",
            "mock-alias-ranges", "i-1=10.244.0.0/24 i-2=10.244.1.0/24,i-1=fd00::/80",
            "mock-latency", "50ms",
            "mock-buckets", "0.5",
            "mock-faults", "AssignPrivateIpAddresses#3+2=lost,*@i-1~0.25=fail:Unavailable",
            "overlay-expiry", "1m30s");

    List<Cidr> network = List.of(Cidr.parse("10.0.0.0/16"));
    assertThat(config)
        .isEqualTo(
            new MockConfig(
                List.of(
                    new MockSubnet(
                        "s-1", "v", network, "z", Cidr.parse("10.0.0.0/24"), Map.of("k", "v")),
                    new MockSubnet(
                        "s-2",
                        "vpc-mock",
                        network,
                        "mock-1a",
                        Cidr.parse("10.0.1.0/24"),
                        Map.of())),
                Map.of(
                    "i-1", List.of(Cidr.parse("10.244.0.0/24"), Cidr.parse("fd00::/80")),
                    "i-2", List.of(Cidr.parse("10.244.1.0/24"))),
                Duration.ofMillis(50),
                0.5,
                List.of(
                    new FaultScript.Rule(
                        Optional.of(CloudOperation.ASSIGN_ADDRESSES),
                        "",
                        3,
                        2,
                        1,
                        FaultPlan.Fault.of(FaultPlan.Kind.LOST)),
                    new FaultScript.Rule(
                        Optional.empty(),
                        "i-1",
                        1,
                        Long.MAX_VALUE,
                        0.25,
                        FaultPlan.Fault.refuse(Code.UNAVAILABLE))),
                Duration.ofSeconds(90)));
    assertThat(read("mock-buckets", "documented").bucketScale()).isEqualTo(1);
  }

  @Test
  @DisplayName("Everything that is wrong is named at once, with value and origin")
  void allProblems() {
    IpamException refused =
        catchThrowableOfType(
            IpamException.class,
            () ->
                read(
                    "mock-subnets", "s-1=10.0.0.0/33,s-2,s-3=10.0.0.0/24;size=z",
                    "mock-alias-ranges", "i-1=10.0.0.0/24,i-2=10.0.0.0/25,i-3,i-4=10.1.0.0",
                    "mock-latency", "fortnight",
                    "mock-buckets", "-1",
                    "mock-faults",
                        "AssignPrivateIpAddresses=explode,Fly=lost,*=fail:X,*=partial:3000000000"));

    assertThat(refused.code()).isEqualTo(CoreError.CONFIG_REFUSED);
    assertThat(refused.detail())
        .contains("10.0.0.0/33", "s-2", "'size'", "fortnight", "-1", "test: mock-faults")
        .contains("'explode' is none of", "'Fly' is none of", "'X' is none of", "3000000000")
        .contains("mock-alias-ranges=i-2=10.0.0.0/25", "shares addresses", "i-3", "i-4=10.1.0.0");
  }

  @ParameterizedTest
  @DisplayName("Subnets must differ in id and addresses")
  @CsvSource({
    "'s-1=10.0.0.0/24,s-1=10.0.1.0/24'",
    "'s-1=10.0.0.0/24,s-1=10.0.0.0/24'",
    "'s-1=10.0.0.0/24,s-2=10.0.0.128/25'",
  })
  void overlappingSubnets(String subnets) {
    IpamException refused =
        catchThrowableOfType(IpamException.class, () -> read("mock-subnets", subnets));
    assertThat(refused.detail()).contains("mock-subnets");
  }

  @Test
  @DisplayName("The keys that the factory declares are in docs/config.md")
  void declaredKeys() {
    assertThat(new MockProviderFactory().settings().stream().map(Option::key))
        .allMatch(key -> key.startsWith("mock-"))
        .allMatch(key -> Repository.text("docs/config.md").contains("\n| `" + key + "` |"));
  }

  @Test
  @DisplayName("The provider is found by its name")
  void serviceLoader() {
    assertThat(ServiceLoader.load(ProviderFactory.class))
        .filteredOn(factory -> factory.name().equals("mock"))
        .singleElement()
        .isInstanceOf(MockProviderFactory.class);
  }

  @Test
  @DisplayName("docs/errors.md lists every code of the mock as it is")
  void documentedErrors() {
    ErrorDocs.assertListed(9000, 9099, List.of(MockError.class));
    ErrorDocs.assertSound(List.of(MockError.class));
  }
}
