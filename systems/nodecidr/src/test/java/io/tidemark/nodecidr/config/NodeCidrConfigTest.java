package io.tidemark.nodecidr.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.config.ConfigKeys;
import io.tidemark.config.ConfigLayer;
import io.tidemark.config.ConfigProblem;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.Setting;
import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.CidrAllocatorType;
import io.tidemark.nodecidr.ledger.ClusterCidrs;
import io.tidemark.testing.SettingsTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The settings of node CIDRs")
class NodeCidrConfigTest {
  private final ConfigProblems problems = new ConfigProblems();

  /** Reads settings such as {@code cluster-cidr=10.0.0.0/8 node-cidr-mask-size=24}. */
  private NodeCidrConfig read(String settings) {
    List<Setting> given = new ArrayList<>();
    for (String each : settings.split(" ", -1)) {
      int equals = each.indexOf('=');
      given.add(new Setting(each.substring(0, equals), each.substring(equals + 1), "test"));
    }
    return NodeCidrConfig.read(List.of(ConfigLayer.own(given)), ConfigKeys.of(List.of()), problems);
  }

  private String ranges(String settings) {
    NodeCidrConfig config = read(settings);
    assertThat(problems.found()).isEmpty();
    ClusterCidrs cidrs = config.cidrs().orElseThrow();
    List<String> parts = new ArrayList<>();
    cidrs
        .families()
        .forEach(
            family ->
                family.ranges().forEach(each -> parts.add(each + ":" + family.blockLength())));
    cidrs.exclusions().forEach(each -> parts.add("-" + each.cidr()));
    return String.join(" ", parts);
  }

  @Test
  @DisplayName("docs/config.md lists every key with its form, default and meaning")
  void documented() {
    SettingsTable.assertListed("## Settings of node CIDRs", NodeCidrKey.all());
  }

  @DisplayName("NC-70 NC-72 NC-74 NC-P1 NC-AM38 that are sound become ranges")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          cluster-cidr=10.0.0.0/21 | 10.0.0.0/21:24
          cluster-cidr=10.0.0.0/21 service-cluster-ip-range=10.1.0.0/21 node-cidr-mask-size=24 | 10.0.0.0/21:24 -10.1.0.0/21
          cluster-cidr=10.0.0.0/21,2000::/10 node-cidr-mask-size-ipv4=24 node-cidr-mask-size-ipv6=98 | 10.0.0.0/21:24 2000::/10:98
          cluster-cidr=10.0.0.0/21,2000::/10 node-cidr-mask-size-ipv6=98 service-cluster-ip-range=10.1.0.0/21,3000::/10 | 10.0.0.0/21:24 2000::/10:98 -10.1.0.0/21 -3000::/10
          cluster-cidr=10.0.0.0/21 service-cluster-ip-range=10.1.0.0/21 secondary-service-cluster-ip-range=3000::/10 | 10.0.0.0/21:24 -10.1.0.0/21 -3000::/10
          cluster-cidr=fd00::/48,10.0.0.0/16 | fd00::/48:64 10.0.0.0/16:24
          cluster-cidr=fd00::/48 node-cidr-mask-size=56 | fd00::/48:56
          cluster-cidr=fd00::/48 node-cidr-mask-size-ipv6=56 | fd00::/48:56
          cluster-cidr=10.0.0.0/16 exclude-cidrs=10.0.0.0/24,10.0.9.0/24,fd00::/64 | 10.0.0.0/16:24 -10.0.0.0/24 -10.0.9.0/24 -fd00::/64
          cluster-cidr=10.0.0.0/21 cidr-allocator-type=IPAMFromCluster | 10.0.0.0/21:24
          cluster-cidr=10.0.0.0/21 cidr-allocator-type=IPAMFromCloud | 10.0.0.0/21:24
          ipam=cluster-pool cluster-pool-ipv4-cidr=10.0.0.0/8 | 10.0.0.0/8:24
          ipam=cluster-pool cluster-pool-ipv4-cidr=10.0.0.0/16,10.9.0.0/16 cluster-pool-ipv4-mask-size=26 enable-ipv4=true enable-ipv6=false | 10.0.0.0/16:26 10.9.0.0/16:26
          ipam=cluster-pool cluster-pool-ipv6-cidr=fd00::/104 cluster-pool-ipv4-cidr=10.0.0.0/8 exclude-cidrs=10.0.0.0/24 | 10.0.0.0/8:24 fd00::/104:112 -10.0.0.0/24
          ipam=cluster-pool cluster-pool-ipv6-cidr=fd00::/104 enable-ipv4=false | fd00::/104:112
          ipam=cluster-pool cluster-pool-ipv6-cidr=fd00::/48 | fd00::/48:112
          """)
  void sound(String settings, String expected) {
    assertThat(ranges(settings)).isEqualTo(expected);
  }

  @DisplayName(
      "NC-29 NC-76 NC-78 NC-79 NC-80 NC-B11 NC-AM2 NC-AM25 NC-AM39 that are wrong say value and why")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          node-cidr-mask-size=24 | cluster-cidr is not set: RangeAllocator takes the blocks of the nodes from it. Set it, for example to 10.244.0.0/16. (TM-1003 CONFIG_INVALID_VALUE)
          cluster-cidr=10.1.0.0/16,fd00::/48,10.0.0.0/16 | cluster-cidr=10.1.0.0/16,fd00::/48,10.0.0.0/16 has 3 ranges. Give one range, or one of each family. (TM-1003 CONFIG_INVALID_VALUE)
          cluster-cidr=10.1.0.0/16,10.2.0.0/16 | cluster-cidr=10.1.0.0/16,10.2.0.0/16 has two ranges of IPv4. Give one range, or one of each family. (TM-1003 CONFIG_INVALID_VALUE)
          cluster-cidr=invalid | cluster-cidr=invalid is not accepted: "invalid" is not a CIDR block: it has no /length. Expected: a CIDR such as 10.244.0.0/16. (TM-1003 CONFIG_INVALID_VALUE)
          cluster-cidr=invalid cidr-allocator-type=IPAMFromCluster | cluster-cidr=invalid is not accepted: "invalid" is not a CIDR block: it has no /length. Expected: a CIDR such as 10.244.0.0/16. (TM-1003 CONFIG_INVALID_VALUE)
          cluster-cidr=010.0.0.0/16 | cluster-cidr=010.0.0.0/16 is not accepted: "010.0.0.0/16" is not a CIDR block: in the address, an octet has a leading zero. Expected: a CIDR such as 10.244.0.0/16. (TM-1003 CONFIG_INVALID_VALUE)
          cluster-cidr=10.0.0.0/016 | cluster-cidr=10.0.0.0/016 is not accepted: "10.0.0.0/016" is not a CIDR block: the length must be a number from 0 to 32 without leading zeros. Expected: a CIDR such as 10.244.0.0/16. (TM-1003 CONFIG_INVALID_VALUE)
          cluster-cidr=10.0.0.0/16 node-cidr-mask-size=0 | node-cidr-mask-size=0 is not accepted. Expected: a whole number from 1 to 128. (TM-1003 CONFIG_INVALID_VALUE)
          cluster-cidr=10.0.0.0/16 node-cidr-mask-size=33 | node-cidr-mask-size=33 is not a valid block length of 10.0.0.0/16. Expected: a prefix length from 16 to 32. (TM-1003 CONFIG_INVALID_VALUE)
          cluster-cidr=10.0.0.0/16 node-cidr-mask-size-ipv4=33 | node-cidr-mask-size-ipv4=33 is not accepted. Expected: a whole number from 1 to 32. (TM-1003 CONFIG_INVALID_VALUE)
          cluster-cidr=fd00::/48 node-cidr-mask-size-ipv6=129 | node-cidr-mask-size-ipv6=129 is not accepted. Expected: a whole number from 1 to 128. (TM-1003 CONFIG_INVALID_VALUE)
          cluster-cidr=10.0.0.0/26 | node-cidr-mask-size-ipv4 is not a valid block length of 10.0.0.0/26. Expected: a prefix length from 26 to 32. (TM-1003 CONFIG_INVALID_VALUE)
          cluster-cidr=10.0.0.0/26 node-cidr-mask-size=24 cidr-allocator-type=IPAMFromCloud | node-cidr-mask-size=24 is not a valid block length of 10.0.0.0/26. Expected: a prefix length from 26 to 32. (TM-1003 CONFIG_INVALID_VALUE)
          cluster-cidr=10.0.0.0/24,2000::/64 node-cidr-mask-size-ipv6=48 | node-cidr-mask-size-ipv6=48 is not a valid block length of 2000::/64. Expected: a prefix length from 64 to 128. (TM-1003 CONFIG_INVALID_VALUE)
          cluster-cidr=fd00::/48 node-cidr-mask-size-ipv4=24 | node-cidr-mask-size-ipv4=24 contradicts cluster-cidr=fd00::/48: a cluster of IPv6 alone has no such blocks. Change one of the two settings. (TM-1004 CONFIG_CONTRADICTION)
          cluster-cidr=10.0.0.0/16 node-cidr-mask-size-ipv6=64 | node-cidr-mask-size-ipv6=64 contradicts cluster-cidr=10.0.0.0/16: a cluster of IPv4 alone has no such blocks. Change one of the two settings. (TM-1004 CONFIG_CONTRADICTION)
          cluster-cidr=10.0.0.0/16 node-cidr-mask-size=24 node-cidr-mask-size-ipv4=24 | node-cidr-mask-size=24 contradicts node-cidr-mask-size-ipv4=24: both are the length of the same blocks. Change one of the two settings. (TM-1004 CONFIG_CONTRADICTION)
          cluster-cidr=10.0.0.0/16,fd00::/48 node-cidr-mask-size=24 | node-cidr-mask-size=24 contradicts cluster-cidr=10.0.0.0/16,fd00::/48: with a range of each family, node-cidr-mask-size-ipv4 and node-cidr-mask-size-ipv6 are set. Change one of the two settings. (TM-1004 CONFIG_CONTRADICTION)
          cluster-cidr=10.0.0.0/23 service-cluster-ip-range=10.0.0.0/21 | cluster-cidr=10.0.0.0/23 has no block of /24 left for nodes in 10.0.0.0/23, because of service-cluster-ip-range=10.0.0.0/21. Leave a part of the range to the nodes. (TM-1412 RANGE_COVERED)
          cluster-cidr=10.0.0.0/23 exclude-cidrs=10.0.0.9/32,10.0.1.9/32 | cluster-cidr=10.0.0.0/23 has no block of /24 left for nodes in 10.0.0.0/23, because of exclude-cidrs=10.0.0.9/32, exclude-cidrs=10.0.1.9/32. Leave a part of the range to the nodes. (TM-1412 RANGE_COVERED)
          cluster-cidr=10.0.0.0/16 service-cluster-ip-range=x | service-cluster-ip-range=x is not accepted: "x" is not a CIDR block: it has no /length. Expected: a CIDR such as 10.244.0.0/16. (TM-1003 CONFIG_INVALID_VALUE)
          cluster-cidr=10.0.0.0/16 service-cluster-ip-range=10.9.0.0/16,10.8.0.0/16 | service-cluster-ip-range=10.9.0.0/16,10.8.0.0/16 makes two ranges of services of IPv4. Give one range of services, or one of each family. (TM-1003 CONFIG_INVALID_VALUE)
          cluster-cidr=10.0.0.0/16 service-cluster-ip-range=10.9.0.0/16,fd00::/48,10.8.0.0/16 | service-cluster-ip-range=10.9.0.0/16,fd00::/48,10.8.0.0/16 has 3 ranges. Give one range, or one of each family. (TM-1003 CONFIG_INVALID_VALUE)
          cluster-cidr=10.0.0.0/16 service-cluster-ip-range=10.9.0.0/16,fd00::/48 secondary-service-cluster-ip-range=fd01::/48 | secondary-service-cluster-ip-range=fd01::/48 contradicts service-cluster-ip-range=10.9.0.0/16,fd00::/48: the second range of services is set twice. Change one of the two settings. (TM-1004 CONFIG_CONTRADICTION)
          cluster-cidr=10.0.0.0/16 cidr-allocator-type=rangeallocator | cidr-allocator-type=rangeallocator is not an allocator type. Did you mean RangeAllocator? (TM-1003 CONFIG_INVALID_VALUE)
          cluster-cidr=10.0.0.0/16 cidr-allocator-type=IPAMFromClod | cidr-allocator-type=IPAMFromClod is not an allocator type. Did you mean IPAMFromCloud? (TM-1003 CONFIG_INVALID_VALUE)
          cluster-cidr=10.0.0.0/16 cidr-allocator-type=none | cidr-allocator-type=none is not an allocator type. Expected: RangeAllocator, CloudAllocator, IPAMFromCluster, IPAMFromCloud. (TM-1003 CONFIG_INVALID_VALUE)
          cluster-cidr=fd00::/40 ipam-profile=reference | ipam-profile=reference allows 16 bits between an IPv6 range and its blocks; fd00::/40 by /64 has 24 (New CIDR set failed; the node CIDR size is too big). Use blocks of /56 or wider, or another profile. (TM-1004 CONFIG_CONTRADICTION)
          cluster-cidr=10.0.0.0/16 cluster-pool-ipv4-cidr=10.0.0.0/8 | cluster-pool-ipv4-cidr is a setting of ipam=cluster-pool. Remove the key, or set ipam=cluster-pool. (TM-1007 CONFIG_FOREIGN_KEY)
          ipam=cluster-pool cluster-pool-ipv4-cidr=10.0.0.0/8 cluster-cidr=10.0.0.0/8 | cluster-cidr is a setting of ipam=kubernetes. Remove the key, or set ipam=kubernetes. (TM-1007 CONFIG_FOREIGN_KEY)
          ipam=eni cluster-cidr=10.0.0.0/16 | ipam=eni is not accepted. Expected: kubernetes or cluster-pool. (TM-1003 CONFIG_INVALID_VALUE)
          ipam=cluster-pool | cluster-pool-ipv4-cidr is not set, nor is cluster-pool-ipv6-cidr: there are no ranges. Set one of them, for example to 10.0.0.0/8. (TM-1003 CONFIG_INVALID_VALUE)
          ipam=cluster-pool cluster-pool-ipv4-cidr=10.0.0.0/8 enable-ipv6=true | enable-ipv6=true contradicts cluster-pool-ipv6-cidr: there is no range of IPv6. Change one of the two settings. (TM-1004 CONFIG_CONTRADICTION)
          ipam=cluster-pool cluster-pool-ipv4-cidr=10.0.0.0/8 enable-ipv4=false | enable-ipv4=false contradicts cluster-pool-ipv4-cidr=10.0.0.0/8: there are ranges of IPv4. Change one of the two settings. (TM-1004 CONFIG_CONTRADICTION)
          ipam=cluster-pool cluster-pool-ipv4-cidr=fd00::/48 | cluster-pool-ipv4-cidr=fd00::/48 has fd00::/48, which is not IPv4. Give ranges of IPv4. (TM-1003 CONFIG_INVALID_VALUE)
          ipam=cluster-pool cluster-pool-ipv4-cidr=10.0.0.0/16,10.0.9.0/24 | cluster-pool-ipv4-cidr=10.0.0.0/16,10.0.9.0/24 has ranges that overlap: 10.0.0.0/16 and 10.0.9.0/24. Give ranges that share no address. (TM-1003 CONFIG_INVALID_VALUE)
          ipam=cluster-pool cluster-pool-ipv4-cidr=10.0.0.0/16,10.9.0.0/25 | cluster-pool-ipv4-mask-size is not a valid block length of 10.9.0.0/25. Expected: a prefix length from 25 to 32. (TM-1003 CONFIG_INVALID_VALUE)
          ipam=cluster-pool cluster-pool-ipv6-cidr=fd00::/48 ipam-profile=reference | ipam-profile=reference allows 16 bits between an IPv6 range and its blocks; fd00::/48 by /112 has 64 (New CIDR set failed; the node CIDR size is too big). Use blocks of /64 or wider, or another profile. (TM-1004 CONFIG_CONTRADICTION)
          ipam=cluster-pool cluster-pool-ipv4-cidr=10.0.0.0/16 cluster-pool-ipv4-mask-size=40 | cluster-pool-ipv4-mask-size=40 is not accepted. Expected: a whole number from 1 to 32. (TM-1003 CONFIG_INVALID_VALUE)
          ipam=cluster-pool cluster-pool-ipv4-cidr=10.0.0.0/16,10.9.0.0/24 exclude-cidrs=10.9.0.0/24 | cluster-pool-ipv4-cidr=10.0.0.0/16,10.9.0.0/24 has no block of /24 left for nodes in 10.9.0.0/24, because of exclude-cidrs=10.9.0.0/24. Leave a part of the range to the nodes. (TM-1412 RANGE_COVERED)
          """)
  void refused(String settings, String problem) {
    read(settings);
    assertThat(problems.found())
        .extracting(each -> each.toString().replaceFirst("^(test|default): ", ""))
        .containsExactly(problem);
  }

  @Test
  @DisplayName("NC-AM39 that are wrong in several ways are refused with all of them at once")
  void together() {
    NodeCidrConfig config =
        read(
            "cluster-cidr=10.0.0.0/33,fd00::/48 node-cidr-mask-size-ipv4=0 node-cidr-mask=24"
                + " service-cluster-ip-range=10.0.0.x/8 exclude-cidrs=y cidr-allocator-type=Cloud");
    assertThat(config.cidrs()).isEmpty();
    assertThat(problems.found())
        .extracting(ConfigProblem::key)
        .containsExactlyInAnyOrder(
            "node-cidr-mask",
            "cidr-allocator-type",
            "cluster-cidr",
            "service-cluster-ip-range",
            "exclude-cidrs");
  }

  @Test
  @DisplayName("NC-P1 those of the cluster-pool mode too, of both families")
  void togetherInPool() {
    NodeCidrConfig config =
        read(
            "ipam=cluster-pool cluster-pool-ipv4-cidr=fd00::/48,10.0.0.0/16,10.0.1.0/24,10.2.0.0/26"
                + " cluster-pool-ipv6-cidr=10.3.0.0/16,fd01::/120,x enable-ipv6=false"
                + " cluster-pool-ipv6-mask-size=129 exclude-cidrs=y");
    assertThat(config.cidrs()).isEmpty();
    assertThat(problems.found())
        .extracting(each -> each.key() + " " + each.problem())
        .containsExactlyInAnyOrder(
            "cluster-pool-ipv4-cidr has fd00::/48, which is not IPv4",
            "cluster-pool-ipv4-cidr has ranges that overlap: 10.0.0.0/16 and 10.0.1.0/24",
            "cluster-pool-ipv4-mask-size is not a valid block length of 10.2.0.0/26",
            "cluster-pool-ipv6-cidr has 10.3.0.0/16, which is not IPv6",
            "cluster-pool-ipv6-cidr is not accepted: \"x\" is not a CIDR block: it has no /length",
            "cluster-pool-ipv6-mask-size is not accepted",
            "enable-ipv6 contradicts cluster-pool-ipv6-cidr=10.3.0.0/16,fd01::/120,x: there are"
                + " ranges of IPv6",
            "exclude-cidrs is not accepted: \"y\" is not a CIDR block: it has no /length");
  }

  @Test
  @DisplayName("NC-P1 ranges as Helm joins them, by blanks")
  void blanks() {
    ConfigLayer layer =
        ConfigLayer.own(
            List.of(
                new Setting("ipam", "cluster-pool", "test"),
                new Setting("cluster-pool-ipv4-cidr", "10.0.0.0/16 10.9.0.0/16", "test")));
    assertThat(
            NodeCidrConfig.read(List.of(layer), ConfigKeys.of(List.of()), problems)
                .cidrs()
                .orElseThrow()
                .families()
                .get(0)
                .ranges())
        .containsExactly(Cidr.parse("10.0.0.0/16"), Cidr.parse("10.9.0.0/16"));
    assertThat(problems.found()).isEmpty();
  }

  @DisplayName("NC-B24 NC-AM39 that are legal and perhaps not meant are told")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          cluster-cidr=10.0.0.7/16 | cluster-cidr: 10.0.0.7/16 has host bits set, and means 10.0.0.0/16
          cluster-cidr=fd00::1/48 | cluster-cidr: fd00::1/48 has host bits set, and means fd00::/48
          cluster-cidr=10.0.0.0/24 | cluster-cidr: 10.0.0.0/24 is one block of /24, so only one node gets a CIDR
          cluster-cidr=10.0.0.0/16 service-cluster-ip-range=10.9.0.0/16 | service-cluster-ip-range: 10.9.0.0/16 is in no range, and has no effect
          cluster-cidr=10.0.0.0/16 exclude-cidrs=fd00::/64 | exclude-cidrs: fd00::/64 is in no range, and has no effect
          """)
  void told(String settings, String note) {
    assertThat(read(settings).notes()).containsExactly(note);
    assertThat(problems.found()).isEmpty();
  }

  @DisplayName("NC-73 NC-75 NC-77 NC-AM30 of the cloud allocator need no range; one makes two")
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          exclude-cidrs=10.9.0.0/24                                         | IPv4
          cluster-cidr=invalid                                              | IPv4
          cluster-cidr=10.0.0.0/26 node-cidr-mask-size=24                   | IPv4
          cluster-cidr=10.0.0.0/16,fd00::/48                                | IPv4
          service-cluster-ip-range=10.9.0.0/16                              | IPv4
          service-cluster-ip-range=fd01::/108                               | IPv6
          service-cluster-ip-range=10.9.0.0/16,fd01::/108                   | IPv4 IPv6
          service-cluster-ip-range=fd01::/108,10.9.0.0/16                   | IPv6 IPv4
          service-cluster-ip-range=10.9.0.0/16 secondary-service-cluster-ip-range=fd01::/108 | IPv4 IPv6
          cluster-cidr=10.0.0.0/16                                          | 10.0.0.0/16:24 IPv6
          cluster-cidr=10.0.0.0/16 node-cidr-mask-size=25                   | 10.0.0.0/16:25 IPv6
          cluster-cidr=10.0.0.0/16 service-cluster-ip-range=fd01::/108      | IPv6 10.0.0.0/16:24
          cluster-cidr=fd00::/48                                            | IPv4 fd00::/48:64
          """)
  void cloud(String settings, String families) {
    NodeCidrConfig config = read("cidr-allocator-type=CloudAllocator " + settings);
    assertThat(problems.found()).isEmpty();
    assertThat(config.type()).isEqualTo(CidrAllocatorType.CLOUD_ALLOCATOR);
    assertThat(config.type().followsCloud()).isTrue();
    assertThat(
            config.cidrs().orElseThrow().families().stream()
                .map(
                    each ->
                        each.isOfCloud()
                            ? each.family().toString()
                            : each.ranges().get(0) + ":" + each.blockLength()))
        .containsExactly(families.split(" ", -1));
    boolean ranges = settings.contains("cluster-cidr");
    assertThat(config.notes()).hasSize(ranges ? 1 : 0).allMatch(it -> it.contains("cluster-cidr"));
  }

  @Test
  @DisplayName("NC-74 of the modes that synchronize are of one family, the first")
  void firstFamily() {
    NodeCidrConfig config =
        read("cidr-allocator-type=IPAMFromCluster cluster-cidr=10.0.0.0/16,fd00::/48");
    assertThat(problems.found()).isEmpty();
    assertThat(config.cidrs().orElseThrow().families())
        .singleElement()
        .satisfies(each -> assertThat(each.blockLength()).isEqualTo(24));
    assertThat(config.notes())
        .containsExactly(
            "cluster-cidr: IPAMFromCluster has one family, so fd00::/48 has no effect");
  }

  @DisplayName("NC-AM18 NC-AM25 NC-AM38 pauses and strictness follow the profile unless set")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          exclude-cidrs=10.0.0.0/24                           | PT1M  | PT1M15S | false
          node-cidr-cool-down=5m                              | PT5M  | PT5M    | false
          node-cidr-takeover-hold=3m node-cidr-strict-start=true | PT1M | PT3M | true
          ipam-profile=reference                              | PT0S  | PT1M15S | true
          ipam-profile=reference node-cidr-cool-down=2s node-cidr-strict-start=false | PT2S | PT1M15S | false
          """)
  void pauses(String settings, String cooldown, String hold, boolean strict) {
    NodeCidrConfig config = read("cluster-cidr=10.0.0.0/16 " + settings);
    assertThat(config.pauses())
        .isEqualTo(new NodeCidrConfig.Pauses(Duration.parse(cooldown), Duration.parse(hold)));
    assertThat(config.strictStart()).isEqualTo(strict);
  }
}
