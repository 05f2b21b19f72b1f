package io.tidemark.provider.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.config.ConfigSource;
import io.tidemark.error.IpamException;
import io.tidemark.provider.aws.ec2.ConnectionSettings;
import io.tidemark.provider.aws.eni.EniSettings;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The settings of the provider aws")
class AwsConfigTest {
  private static AwsConfig read(String... pairs) {
    return AwsConfig.read(ConfigSource.of(values(pairs)));
  }

  private static Map<String, String> values(String... pairs) {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      values.put(pairs[i], pairs[i + 1]);
    }
    return values;
  }

  private static String refusal(String... pairs) {
    IpamException refused = catchThrowableOfType(IpamException.class, () -> read(pairs));
    return String.valueOf(refused.getMessage());
  }

  @Test
  @DisplayName("have a default each")
  void defaults() {
    AwsConfig config = read();
    assertThat(config.region()).isEmpty();
    assertThat(config.connection().endpoint()).isEmpty();
    assertThat(config.metadata()).hasToString("http://169.254.169.254");
    assertThat(config.connection().role()).isEmpty();
    assertThat(config.apiShare()).isEqualTo(1);
    assertThat(config.connection().pageSize()).isZero();
    assertThat(config.eni().collectionInterval()).isEqualTo(Duration.ofMinutes(5));
    assertThat(config.eni().horizon()).isEqualTo(Duration.ofSeconds(60));
    assertThat(config.eni().overlayExpiry()).isEqualTo(Duration.ofMinutes(2));
    assertThat(config.eni().securityGroupsMax()).isEqualTo(5);
    assertThat(config.eni().fastest()).isFalse();
    assertThat(config.eni().stickySingles()).isFalse();
    assertThat(config.eni().primaryCountsBlock()).isFalse();
    assertThat(config.eni().subnetFallback()).isFalse();
    assertThat(config.warnings()).isEmpty();
  }

  @Test
  @DisplayName("are all read")
  void all() {
    AwsConfig config =
        read(
            "aws-region", "eu-central-1",
            "ec2-api-endpoint", "ec2.example.org",
            "sts-api-endpoint", "http://127.0.0.1:4566",
            "aws-use-fips-endpoint", "true",
            "aws-use-dualstack-endpoint", "true",
            "aws-assume-role-arn", "arn:aws-cn:iam::111111111111:role/ops/ipam",
            "aws-assume-role-external-id", "blue",
            "aws-network-role-arn", "arn:aws:iam::222222222222:role/net",
            "ec2-api-share", "0.5",
            "aws-max-results-per-call", "5",
            "subnet-ids-filter", "subnet-1, subnet-2",
            "subnet-tags-filter", "tier=pods",
            "instance-tags-filter", "team=a",
            "eni-tags", "cost=1,both=eni",
            "eni-gc-tags", "mine=yes,both=gc",
            "eni-gc-interval", "0",
            "reserved-enis", "1",
            "aws-instance-limit-mapping", "a1.medium=2,4,100",
            "allocation-path", "fastest",
            "pd-sticky", "true",
            "parity-capacity", "true");
    ConnectionSettings connection = config.connection();
    assertThat(connection.endpoint()).contains(URI.create("https://ec2.example.org"));
    assertThat(connection.stsEndpoint()).contains(URI.create("http://127.0.0.1:4566"));
    assertThat(connection.role())
        .contains(
            new ConnectionSettings.Role(
                "arn:aws-cn:iam::111111111111:role/ops/ipam", Optional.of("blue")));
    assertThat(connection.networkRole().orElseThrow().accountId()).isEqualTo("222222222222");
    assertThat(connection.pageSize()).isEqualTo(5);
    assertThat(config.eni().subnetIds()).containsExactlyInAnyOrder("subnet-1", "subnet-2");
    assertThat(config.eni().scope().instanceTags()).containsEntry("team", "a");
    assertThat(config.eni().tags()).isEqualTo(Map.of("cost", "1", "mine", "yes", "both", "gc"));
    assertThat(config.eni().collectionInterval()).isZero();
    assertThat(config.eni().fastest()).isTrue();
    assertThat(config.limits()).containsOnlyKeys("a1.medium");
    assertThat(config.warnings()).singleElement().asString().contains("parity-capacity");
  }

  @DisplayName("are refused when wrong (17.2)")
  @ParameterizedTest(name = "{0}={1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "aws-region | nowhere!",
        "aws-max-results-per-call | 4",
        "aws-max-results-per-call | 1001",
        "aws-max-results-per-call | -1",
        "ec2-api-share | 0",
        "eni-gc-interval | 59s",
        "eni-gc-interval | -1s",
        "subnet-ids-filter | subnet-1,vpc-1",
        "eni-tags | aws:cloudformation=x",
        "eni-gc-tags | aws:x=y",
        "ec2-api-endpoint | http://ec2.example.org",
        "ec2-api-endpoint | http://169.254.169.254",
        "ec2-api-endpoint | ftp://localhost",
        "ec2-api-endpoint | https://user:secret@example.org",
        "ec2-api-endpoint | a b",
        "aws-ca-bundle | /no/such/file",
        "aws-assume-role-arn | arn:aws:iam::1:role/x",
        "aws-instance-limit-mapping | a1.medium=4,5",
        "aws-use-primary-address | true",
        "allocation-path | dearest",
        "reserved-enis | 16",
        "security-groups-per-eni | 17",
        "consistency-horizon | 0s",
      })
  void wrong(String key, String value) {
    assertThat(refusal(key, value)).contains(": 1 problem\n").contains(key);
  }

  @Test
  @DisplayName("are refused all at once")
  void together() {
    String refusal =
        refusal(
            "aws-max-results-per-call", "3",
            "subnet-ids-filter", "x",
            "aws-assume-role-external-id", "blue",
            "ec2-api-endpoint", "http://example.org");
    assertThat(refusal)
        .contains("4 problems")
        .contains("aws-max-results-per-call", "subnet-ids-filter", "aws-assume-role-external-id");
  }

  @Test
  @DisplayName("say whose instances and interfaces are ours; the reference's profile collects 25")
  void scope() {
    EniSettings.Scope usual = read("eni-gc-interval", "5m").eni().scope();
    assertThat(usual).isEqualTo(EniSettings.Scope.USUAL);
    assertThat(read("instance-tags-filter", "pool=a").eni().scope().instanceTags())
        .containsExactly(Map.entry("pool", "a"));
    assertThat(read("eni-gc-tags", "team=b").eni().scope().collectionTags())
        .containsExactly(Map.entry("team", "b"));
    assertThat(read("manage-trunk", "true").eni().scope().trunks()).isTrue();
    assertThat(read("cluster-uid", "0f-1").eni().scope().clusterId()).isEqualTo("0f-1");
    assertThat(read("ipam-profile", "reference").eni().scope().collectionsMax()).hasValue(25);
    assertThat(refusal("cluster-uid", "no id")).contains("cluster-uid");
  }

  @Test
  @DisplayName("leave every option off unless it is asked for")
  void options() {
    assertThat(read().eni().options()).isEqualTo(EniSettings.Options.NONE);
    assertThat(
            read(
                    "release-excess-ips", "true",
                    "eni-release", "true",
                    "subnet-role-tags", "true",
                    "manage-foreign-enis", "false",
                    "reconcile-security-groups", "true",
                    "retire-untagged-subnets", "true",
                    "copy-conntrack", "true")
                .eni()
                .options())
        .isEqualTo(new EniSettings.Options(true, true, false, true, true, true));
  }

  @DisplayName("are refused when an option contradicts another setting")
  @ParameterizedTest(name = "{0}=true and {1}={2}")
  @CsvSource({
    "eni-release, release-excess-ips, false",
    "eni-release, eni-gc-interval, 0",
    "eni-release, ipam-profile, reference",
    "subnet-role-tags, ipam-profile, reference",
    "reconcile-security-groups, ipam-profile, reference",
    "copy-conntrack, ipam-profile, reference",
    "retire-untagged-subnets, ipam-profile, reference",
    "retire-untagged-subnets, subnet-fallback, true"
  })
  void contradictions(String option, String other, String value) {
    Map<String, String> given = new HashMap<>(Map.of("release-excess-ips", "true"));
    given.put(option, "true");
    given.put(other, value);
    IpamException refused =
        catchThrowableOfType(IpamException.class, () -> AwsConfig.read(ConfigSource.of(given)));
    assertThat(refused).hasMessageContaining(": 1 problem\n").hasMessageContaining(option);
    assertThat(refused).hasMessageContaining("contradicts " + other);
  }

  @Test
  @DisplayName("leave room for our own tags among the fifty of an interface")
  void tags() {
    String many =
        IntStream.range(0, 43).mapToObj(i -> "t" + i + "=x").collect(Collectors.joining(","));
    assertThat(read("eni-tags", many).eni().tags()).hasSize(43);
    assertThat(refusal("eni-tags", many + ",one=more")).contains("eni-tags");
  }

  @DisplayName("have a line of meaning each, and the reference's names where it has them")
  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "ec2-api-endpoint", "subnet-ids-filter", "subnet-tags-filter", "instance-tags-filter",
        "eni-tags", "eni-gc-tags", "eni-gc-interval", "aws-instance-limit-mapping",
        "aws-max-results-per-call", "aws-use-primary-address"
      })
  void names(String key) {
    assertThat(AwsKeys.all()).anyMatch(each -> each.key().equals(key));
    assertThat(AwsKeys.all()).allMatch(each -> each.meaning().length() < 120);
  }
}
