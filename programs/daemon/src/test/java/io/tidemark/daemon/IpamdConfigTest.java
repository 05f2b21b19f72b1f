package io.tidemark.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.config.Setting;
import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.checkpoint.MigrationPhase;
import io.tidemark.program.SettingPlaces;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The settings of ipamd")
class IpamdConfigTest {
  private static IpamdConfig read(Map<String, String> environment, Setting... commandLine) {
    return IpamdConfig.read(
        new SettingPlaces(
            List.of(commandLine),
            environment,
            Optional.empty(),
            Optional.empty(),
            Optional.empty()),
        true);
  }

  private static Setting given(String key, String value) {
    return new Setting(key, value, "command line");
  }

  @Test
  @DisplayName("D93 Unset targets are not 0; one whole interface is kept free")
  void unset() {
    IpamdConfig config = read(Map.of());
    assertThat(config.pool().warm().warmIp()).isEmpty();
    assertThat(config.pool().warm().minIp()).isEmpty();
    assertThat(config.pool().warm().warmEni()).isEqualTo(1);
    assertThat(config.pool().maxEni()).isEmpty();
    assertThat(config.pool().hook()).isEmpty();
    assertThat(read(Map.of(), given("warm-ip-target", "0")).pool().warm().warmIp()).hasValue(0);
  }

  @DisplayName("D93 Targets are numbers; 0 is one, and what is no number is refused")
  @ParameterizedTest(name = "{0}={1}: {2}")
  @CsvSource({
    "WARM_ENI_TARGET, 0, warmEni=0",
    "WARM_ENI_TARGET, -1, refused",
    "WARM_ENI_TARGET, x, refused",
    "WARM_IP_TARGET, 3, warmIp=OptionalInt[3]",
    "WARM_IP_TARGET, 0, warmIp=OptionalInt.empty",
    "MINIMUM_IP_TARGET, 4, minIp=OptionalInt[4]",
    "MINIMUM_IP_TARGET, 1e, refused",
    "WARM_PREFIX_TARGET, 5, warmPrefix=5",
    "WARM_PREFIX_TARGET, .5, refused",
    "MAX_ENI, x, refused",
    "MAX_ENI, -2, refused"
  })
  void targets(String variable, String value, String expected) {
    if (expected.equals("refused")) {
      assertThatThrownBy(() -> read(Map.of(variable, value)))
          .hasMessageContaining("environment variable " + variable)
          .hasMessageContaining("=" + value);
    } else {
      assertThat(read(Map.of(variable, value)).pool().warm().toString()).contains(expected);
    }
  }

  @Test
  @DisplayName("What a start takes up has a setting each, and phases of the runtime are refused")
  void recovery() {
    assertThat(read(Map.of()).recovery())
        .isEqualTo(new IpamdConfig.Recovery(MigrationPhase.FILE, true, Duration.ofMinutes(5)));
    assertThat(
            read(
                    Map.of("TIDEMARK_COOLDOWN_AFTER_RESTART", "false"),
                    given("recovery-grace", "1h"),
                    given("checkpoint-phase", "2"))
                .recovery())
        .isEqualTo(
            new IpamdConfig.Recovery(
                MigrationPhase.FILE_BESIDE_RUNTIME, false, Duration.ofHours(1)));
    for (String phase : List.of("0", "1")) {
      assertThatThrownBy(
              () -> read(Map.of(), given("checkpoint-phase", phase), given("max-eni", "many")))
          .hasMessageContainingAll(
              "checkpoint-phase=" + phase + " reads assignments from the container runtime",
              "drain the node first",
              "max-eni=many");
    }
    assertThatThrownBy(
            () ->
                read(
                    Map.of(),
                    given("checkpoint-phase", "4"),
                    given("recovery-grace", "29s"),
                    given("cooldown-after-restart", "perhaps")))
        .hasMessageContainingAll(
            "checkpoint-phase=4", "0 to 3", "recovery-grace=29s", "cooldown-after-restart=perhaps");
  }

  @DisplayName("Where spare addresses follow demand, no target but the minimum is set")
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          MODE=static | Optional.empty
          QUANTILE=0.9 | Optional.empty
          MODE=demand | Optional[DemandSettings[quantile=0.999, spareMin=1, spareMax=64]]
          MODE=demand QUANTILE=0.9 SPARE_MIN=2 SPARE_MAX=9 WARM_IP_TARGET= | \
            Optional[DemandSettings[quantile=0.9, spareMin=2, spareMax=9]]
          MODE=demand MINIMUM_IP_TARGET=20 SPARE_MAX=9 | \
            Optional[DemandSettings[quantile=0.999, spareMin=1, spareMax=9]]
          MODE=demand WARM_IP_TARGET=5 | 1 problem;TM-1004;Change one of the two settings;\
            warm-ip-target=5 contradicts pre-allocate-mode=demand
          MODE=demand WARM_ENI_TARGET=1 WARM_PREFIX_TARGET=0 | 2 problems;\
            warm-eni-target=1 contradicts pre-allocate-mode=demand;\
            warm-prefix-target=0 contradicts pre-allocate-mode=demand
          MODE=demand SPARE_MIN=5 SPARE_MAX=4 WARM_IP_TARGET=1 | 2 problems;\
            demand-spare-max=4 contradicts demand-spare-min=5;warm-ip-target=1 contradicts
          MODE=auto QUANTILE=1 | 2 problems;static or demand;0.5 to 0.999
          """)
  void demand(String settings, String expected) {
    Map<String, String> environment = new HashMap<>();
    for (String each : settings.split(" ", -1)) {
      String name = each.replaceFirst("=.*", "");
      String key = name.equals("MODE") ? "PRE_ALLOCATE_MODE" : "DEMAND_" + name;
      environment.put(
          name.endsWith("TARGET") ? name : "TIDEMARK_" + key, each.substring(name.length() + 1));
    }
    if (expected.startsWith("Optional")) {
      assertThat(read(environment).pool().demand()).hasToString(expected);
    } else {
      assertThatThrownBy(() -> read(environment))
          .hasMessageContainingAll(expected.split("; *", -1));
    }
  }

  @Test
  @DisplayName("The variables of the AWS VPC CNI are the same settings, after all other places")
  void reference() {
    Map<String, String> environment =
        Map.of(
            "WARM_ENI_TARGET", "2",
            "WARM_IP_TARGET", "0",
            "MINIMUM_IP_TARGET", "10",
            "WARM_PREFIX_TARGET", "3",
            "MAX_ENI", "-1",
            "ENABLE_PREFIX_DELEGATION", "true",
            "IP_COOLDOWN_PERIOD", "10",
            "AWS_VPC_K8S_CNI_BACKING_STORE", "/tmp/x.json",
            "AWS_VPC_K8S_CNI_EXTERNALSNAT", "true",
            "AWS_VPC_K8S_CNI_EXCLUDE_SNAT_CIDRS", "10.1.0.0/16,10.2.0.0/16");
    IpamdConfig config = read(environment, given("warm-eni-target", "0"));
    assertThat(config.pool().warm().warmEni()).isZero();
    assertThat(config.pool().warm().warmIp()).as("0 means nothing there").isEmpty();
    assertThat(config.pool().warm().minIp()).isEqualTo(OptionalInt.of(10));
    assertThat(config.pool().warm().warmPrefix()).isEqualTo(3);
    assertThat(config.pool().maxEni()).isEmpty();
    assertThat(config.mode()).isEqualTo(CidrKind.PREFIX);
    assertThat(config.cooldown().period()).isEqualTo(Duration.ofSeconds(10));
    assertThat(config.cooldown().floor()).isEqualTo(Duration.ofSeconds(10));
    assertThat(config.checkpoint()).isEqualTo(Path.of("/tmp/x.json"));
    assertThat(config.routing().externalSnat()).isTrue();
    assertThat(config.routing().v4Cidrs()).containsExactly("10.1.0.0/16", "10.2.0.0/16");
  }

  @DisplayName("D102 What is not done here is refused with the reason")
  @ParameterizedTest(name = "{0}={1}")
  @CsvSource({
    "ENABLE_POD_ENI, true, security groups of their own",
    "AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG, true, ENIConfig objects",
    "ENABLE_MULTI_NIC, true, several network cards",
    "ANNOTATE_POD_IP, 1, no cluster is connected",
    "DISABLE_POD_V6, true, network configuration of the plugin",
    "DISABLE_TCP_EARLY_DEMUX, true, host's kernel",
  })
  void refused(String variable, String value, String reason) {
    assertThatThrownBy(() -> read(Map.of(variable, value)))
        .hasMessageContaining(variable)
        .hasMessageContaining(reason);
    assertThat(read(Map.of(variable, "false")).pool().maxEni()).isEmpty();
  }

  @DisplayName("D102 Pods get addresses of one family, IPv6 ones of prefixes; all else is refused")
  @ParameterizedTest(name = "IPv4 {0}, IPv6 {1}, prefixes {2}: {3}")
  @CsvSource({
    "      ,       ,       , IPv4",
    "      ,       , true  , IPv4",
    "true  , false , false , IPv4",
    "true  , false , true  , IPv4",
    "false , true  , true  , IPv6",
    "false , true  , false , 1 problem: IPv6 addresses are assigned from prefixes alone",
    "false , true  ,       , 1 problem: IPv6 addresses are assigned from prefixes alone",
    "true  , true  , true  , 1 problem: exactly one",
    "      , true  , true  , 1 problem: exactly one",
    "true  , true  , false , 2 problems: exactly one",
    "false , false , true  , 1 problem: exactly one",
    "false ,       , false , 1 problem: exactly one",
  })
  void families(String ipv4, String ipv6, String prefixes, String outcome) {
    Map<String, String> environment = new HashMap<>();
    List<Setting> settings = new ArrayList<>();
    String[] names = {"ENABLE_IPv4", "ENABLE_IPv6", "ENABLE_PREFIX_DELEGATION"};
    String[] keys = {"enable-ipv4", "enable-ipv6", "enable-prefix-delegation"};
    String[] values = {ipv4, ipv6, prefixes};
    for (int i = 0; i < values.length; i++) {
      if (values[i] != null) {
        environment.put(names[i], values[i]);
        settings.add(given(keys[i], values[i]));
      }
    }
    Setting[] commandLine = settings.toArray(Setting[]::new);
    if (outcome.startsWith("IPv")) {
      assertThat(read(environment).family()).hasToString(outcome);
      assertThat(read(Map.of(), commandLine).family()).hasToString(outcome);
    } else {
      String[] texts = outcome.split(": ", 2);
      assertThatThrownBy(() -> read(environment)).hasMessageContainingAll(texts);
      assertThatThrownBy(() -> read(Map.of(), commandLine)).hasMessageContainingAll(texts);
    }
  }

  @Test
  @DisplayName("D129 All problems are reported at once: ours, those of EC2 and those of variables")
  void problems() {
    assertThatThrownBy(
            () ->
                read(
                    Map.of("ENABLE_POD_ENI", "true", "MINIMUM_IP_TARGET", "many"),
                    given("warm-ip-target", "-1"),
                    given("ip-cooldown", "-1s"),
                    given("host-network-hook", "hook.sh"),
                    given("aws-region", "Frankfurt")))
        .hasMessageContainingAll(
            "ENABLE_POD_ENI",
            "environment variable MINIMUM_IP_TARGET",
            "warm-ip-target=-1",
            "ip-cooldown=-1s",
            "host-network-hook=hook.sh",
            "aws-region=Frankfurt");
  }

  @Test
  @DisplayName("What it serves over HTTP follows the variables of the AWS VPC CNI")
  void http() {
    IpamdConfig config =
        read(Map.of("DISABLE_METRICS", "true", "INTROSPECTION_BIND_ADDRESS", "127.0.0.1:7"));
    assertThat(config.http().metering()).isFalse();
    assertThat(config.http().introspection())
        .contains(new InetSocketAddress(InetAddress.getLoopbackAddress(), 7));
    IpamdHttp.Addresses onSocket = read(Map.of("INTROSPECTION_BIND_ADDRESS", "unix:/run/x")).http();
    assertThat(onSocket.introspectionSocket()).contains(Path.of("/run/x"));
    assertThat(onSocket.introspection()).isEmpty();
    assertThat(read(Map.of("DISABLE_METRICS", "false")).http().metering()).isTrue();
  }

  @DisplayName("D137 What a variable forbids is not done: ipamd is that, or does not start")
  @ParameterizedTest(name = "{0}={1}: {2}")
  @CsvSource({
    "DISABLE_NETWORK_RESOURCE_PROVISIONING, true, forbids changes in EC2",
    "DISABLE_NETWORK_RESOURCE_PROVISIONING, 1, forbids changes in EC2",
    "DISABLE_NETWORK_RESOURCE_PROVISIONING, yes, Expected: true or false",
    "ENABLE_IMDS_ONLY_MODE, TRUE, forbids requests to EC2",
    "MANAGE_UNTAGGED_ENI, false, without the tag of this instance",
    "NETWORK_POLICY_ENFORCING_MODE, strict, network policies",
    "DISABLE_LEAKED_ENI_CLEANUP, never, Expected: true or false",
    "DISABLE_METRICS, on, Expected: true or false",
  })
  void forbidden(String variable, String value, String reason) {
    assertThatThrownBy(() -> read(Map.of(variable, value)))
        .hasMessageContainingAll("environment variable " + variable, "=" + value, reason);
    for (String harmless : List.of("", " ", variable.startsWith("MANAGE") ? "true" : "false")) {
      assertThat(read(Map.of(variable, harmless)).pool().maxEni()).isEmpty();
    }
  }

  @Test
  @DisplayName("D137 Interfaces of a file are never changed in EC2, so nothing is forbidden there")
  void forbiddenBesideFile() {
    IpamdConfig config =
        IpamdConfig.read(
            new SettingPlaces(
                List.of(),
                Map.of(
                    "DISABLE_NETWORK_RESOURCE_PROVISIONING", "true",
                    "ENABLE_IMDS_ONLY_MODE", "true",
                    "MANAGE_UNTAGGED_ENI", "false"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()),
            false);
    assertThat(config.pool().maxEni()).isEmpty();
  }

  @Test
  @DisplayName("D137 The end of the collection of leftovers, and EC2's endpoint, are settings")
  void settingsOfEc2() {
    IpamdConfig config =
        read(
            Map.of(
                "DISABLE_LEAKED_ENI_CLEANUP", "true",
                "AWS_EC2_ENDPOINT", "https://localhost:8443",
                "MAX_ENI", ""));
    assertThat(config.pool().source().value("eni-gc-interval")).hasValue("0");
    assertThat(config.pool().source().value("ec2-api-endpoint")).hasValue("https://localhost:8443");
    assertThat(read(Map.of()).pool().source().value("eni-gc-interval")).isEmpty();
  }

  @Test
  @DisplayName("D102 Targets that others make useless are named with the reason")
  void idleTargets() {
    Map<String, String> manifest = Map.of("WARM_ENI_TARGET", "1", "WARM_PREFIX_TARGET", "1");
    assertThat(IdleTargets.of(read(manifest, given("warm-ip-target", "2")), true))
        .containsExactly(
            "warm-prefix-target=1 (environment variable WARM_PREFIX_TARGET): without"
                + " enable-prefix-delegation",
            "warm-eni-target=1 (environment variable WARM_ENI_TARGET): warm-ip-target is set");
    assertThat(
            IdleTargets.of(
                read(
                    manifest,
                    given("enable-prefix-delegation", "true"),
                    given("max-eni", "2"),
                    given("minimum-ip-target", "5")),
                true))
        .containsExactly(
            "max-eni=2 (command line): without host-network-hook there is one interface",
            "warm-eni-target=1 (environment variable WARM_ENI_TARGET): enable-prefix-delegation is"
                + " set",
            "warm-prefix-target=1 (environment variable WARM_PREFIX_TARGET): minimum-ip-target is"
                + " set");
    assertThat(IdleTargets.of(read(Map.of(), given("warm-ip-target", "2")), false))
        .containsExactly("warm-ip-target=2 (command line): the interfaces are those of a file");
    assertThat(IdleTargets.of(read(Map.of("WARM_ENI_TARGET", "1")), true)).isEmpty();
    IpamdConfig demand = read(Map.of(), given("pre-allocate-mode", "demand"));
    assertThat(IdleTargets.of(demand, true)).isEmpty();
    assertThat(IdleTargets.of(demand, false))
        .containsExactly(
            "pre-allocate-mode=demand (command line): the interfaces are those of a file");
  }

  @Test
  @DisplayName("D102 Variables of the AWS VPC CNI without effect are named, others are not")
  void withoutEffect() {
    assertThat(
            ReferenceEnvironment.withoutEffect(
                Map.of(
                    "AWS_VPC_ENI_MTU", "9001",
                    "AWS_EXTERNAL_SERVICE_CIDRS", "10.0.0.0/8",
                    "AWS_MANAGE_ENIS_NON_SCHEDULABLE", "true",
                    "POD_SECURITY_GROUP_ENFORCING_MODE", "strict",
                    "AWS_EC2_ENDPOINT", "ec2.example.com",
                    "DISABLE_METRICS", "true",
                    "PATH", "/bin")))
        .containsExactly(
            "AWS_EXTERNAL_SERVICE_CIDRS",
            "AWS_MANAGE_ENIS_NON_SCHEDULABLE",
            "AWS_VPC_ENI_MTU",
            "POD_SECURITY_GROUP_ENFORCING_MODE");
  }
}
