package io.tidemark.nodeid.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.config.ConfigKeys;
import io.tidemark.config.ConfigLayer;
import io.tidemark.config.ConfigProblem;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigReader;
import io.tidemark.config.ConfigSource;
import io.tidemark.config.Option;
import io.tidemark.config.Setting;
import io.tidemark.config.SharedKey.Profile;
import io.tidemark.nodeid.NodeIdRanges;
import io.tidemark.nodeid.TestRanges;
import io.tidemark.nodeid.config.NodeIdConfig.Assignment;
import io.tidemark.testing.Repository;
import io.tidemark.testing.SettingsTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The settings of node ids")
class NodeIdConfigTest {
  private final ConfigProblems problems = new ConfigProblems();

  /** Settings as {@code key=value} between blanks; {@code -} is none. */
  private ConfigSource source(String settings) {
    List<Setting> given = new ArrayList<>();
    for (String each : settings.split(" ", -1)) {
      if (!each.equals("-")) {
        String[] pair = each.split("=", 2);
        given.add(new Setting(pair[0], pair[1], "t"));
      }
    }
    return ConfigKeys.of(NodeIdKey.all()).resolve(List.of(ConfigLayer.own(given)), problems);
  }

  private Optional<NodeIdConfig> read(String settings) {
    return NodeIdConfig.read(source(settings), problems);
  }

  private NodeIdConfig sound(String settings) {
    Optional<NodeIdConfig> config = read(settings);
    assertThat(problems.found()).isEmpty();
    return config.orElseThrow();
  }

  private Optional<NodeIdConfig> readToRun(String settings) {
    return NodeIdConfig.readToRun(new ConfigReader(source(settings), problems));
  }

  @Test
  @DisplayName("NI-AM15 How ids are assigned: namespace, cooldown, pod CIDRs, with defaults")
  void assignment() {
    assertThat(readToRun("-").orElseThrow().assignment())
        .isEqualTo(new Assignment("tidemark-node-ids", Duration.ofMinutes(5), false));
    assertThat(
            readToRun("node-id-namespace=ids node-id-cool-down=0 allocate-node-cidrs=true")
                .orElseThrow()
                .assignment())
        .isEqualTo(new Assignment("ids", Duration.ZERO, true));
    assertThat(problems.found()).isEmpty();
  }

  @Test
  @DisplayName("NI-D9 NI-AM15 To assign ids ranges must not overlap; each pair is named")
  void overlapsToRun() {
    assertThat(
            readToRun(
                "node-id-whole-cidr=10.96.0.0/12 node-id-interconnect-cidr=10.97.3.0/24"
                    + " node-id-cool-down=-1s"))
        .isEmpty();
    assertThat(problems.found().stream().map(ConfigProblem::toString))
        .anySatisfy(text -> assertThat(text).startsWith("t: node-id-cool-down=-1s"))
        .anySatisfy(
            text ->
                assertThat(text)
                    .startsWith("t: node-id-interconnect-cidr=10.97.3.0/24 is not accepted: ")
                    .contains("link subnets 10.97.0.0/16 and interconnect 10.97.3.0/24 overlap")
                    .contains("TM-1504"))
        .anySatisfy(
            text ->
                assertThat(text)
                    .startsWith("default: service-cluster-ip-range=10.96.0.0/12 is not accepted: ")
                    .contains("pod subnets 10.96.0.0/16 and services 10.96.0.0/12 overlap"));
    assertThat(problems.found()).hasSize(6);
  }

  @Test
  @DisplayName("Without settings Contiv's defaults count, and the missing interconnect is told")
  void defaults() {
    NodeIdConfig config = sound("-");
    assertThat(config.ranges())
        .isEqualTo(TestRanges.of("10.1.0.0/16 24", "172.30.0.0/16 24", "-", "192.168.30.0/24"));
    assertThat(config.notes())
        .containsExactly(
            "node-id-interconnect-cidr is not set: no address of a main interface follows from the"
                + " id");
  }

  @Test
  @DisplayName("Each key is read, under its name and under that of Contiv")
  void everyKey() {
    String ours =
        "node-id-pod-subnet-cidr=10.2.0.0/16 node-id-pod-subnet-prefix=25"
            + " node-id-link-subnet-cidr=172.31.0.0/16 node-id-link-subnet-prefix=26"
            + " node-id-interconnect-cidr=192.168.17.0/24 node-id-interconnect-dhcp=true"
            + " node-id-overlay-cidr=192.168.31.0/24 service-cluster-ip-range=10.112.0.0/12";
    String ofContiv =
        "podSubnetCIDR=10.2.0.0/16 podSubnetOneNodePrefixLen=25 vppHostSubnetCIDR=172.31.0.0/16"
            + " vppHostSubnetOneNodePrefixLen=26 nodeInterconnectCIDR=192.168.17.0/24"
            + " nodeInterconnectDHCP=true vxlanCIDR=192.168.31.0/24 serviceCIDR=10.112.0.0/12";
    NodeIdRanges ranges = sound(ours).ranges();
    assertThat(ranges).isEqualTo(sound(ofContiv).ranges());
    assertThat(ranges.all().values())
        .extracting(Object::toString)
        .containsExactly(
            "10.2.0.0/16", "172.31.0.0/16", "192.168.17.0/24", "192.168.31.0/24", "10.112.0.0/12");
    assertThat(ranges.podPrefix()).isEqualTo(25);
    assertThat(ranges.linkPrefix()).isEqualTo(26);
  }

  @Test
  @DisplayName("Exclusions are the same for all nodes, sorted, each once; the profile is shared")
  void exclusions() {
    NodeIdConfig config =
        sound(
            "nodeInterconnectCIDR=192.168.16.0/24 ipam-profile=reference"
                + " node-id-excluded-addresses=192.168.16.9,192.168.16.1,192.168.16.9");
    assertThat(config.ranges().excluded())
        .extracting(Object::toString)
        .containsExactly("192.168.16.1", "192.168.16.9");
    assertThat(config.ranges().profile()).isEqualTo(Profile.REFERENCE);
    assertThat(config.notes()).isEmpty();
  }

  @DisplayName("What is legal and perhaps not meant is told")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          podSubnetCIDR=1.2.3.4/16 nodeInterconnectDHCP=true | node-id-pod-subnet-cidr: 1.2.3.4/16 is read as 1.2.0.0/16
          nodeInterconnectCIDR=192.168.16.0/24 node-id-excluded-addresses=10.0.0.1 | node-id-excluded-addresses: 10.0.0.1 is not in the interconnect 192.168.16.0/24 and excludes nothing
          nodeInterconnectCIDR=192.168.16.0/24 node-id-excluded-addresses=10.0.0.1 ipam-profile=reference | node-id-excluded-addresses: 10.0.0.1 is not in the interconnect 192.168.16.0/24 and, as in the reference, moves each address above it by one
          nodeInterconnectDHCP=true node-id-excluded-addresses=10.0.0.1 | node-id-excluded-addresses: 10.0.0.1 excludes nothing
          contivCIDR=10.128.0.0/14 vxlanCIDR=192.168.30.0/24 | node-id-overlay-cidr has no effect: node-id-whole-cidr takes its place
          """)
  void notes(String settings, String note) {
    assertThat(sound(settings).notes()).containsExactly(note);
  }

  @DisplayName("NI-22/NI-23 One range is split into four; an interconnect that is set stays")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          contivCIDR=10.128.0.0/14                                       | 10.128.0.0/16  | 10.129.0.0/16  | 10.130.0.0/23   | 10.130.2.0/23   | 25
          contivCIDR=192.240.0.0/12                                      | 192.240.0.0/16 | 192.241.0.0/16 | 192.242.0.0/23  | 192.242.2.0/23  | 25
          contivCIDR=10.128.0.0/14 nodeInterconnectCIDR=192.168.16.0/24  | 10.128.0.0/16  | 10.129.0.0/16  | 192.168.16.0/24 | 10.130.2.0/23   | 25
          contivCIDR=10.128.0.0/14 nodeInterconnectDHCP=true             | 10.128.0.0/16  | 10.129.0.0/16  | -               | 10.130.2.0/23   | 25
          contivCIDR=fe10::/64 serviceCIDR=2096::/110                    | fe10::/112     | fe10::1:0/112  | fe10::2:0/119   | fe10::2:200/119 | 121
          """)
  void whole(
      String settings, String pods, String links, String interconnect, String overlay, int prefix) {
    NodeIdRanges ranges = sound(settings).ranges();
    assertThat(ranges.pods()).hasToString(pods);
    assertThat(ranges.links()).hasToString(links);
    assertThat(ranges.interconnect().map(Object::toString).orElse("-")).isEqualTo(interconnect);
    assertThat(ranges.overlay()).hasToString(overlay);
    assertThat(List.of(ranges.podPrefix(), ranges.linkPrefix())).containsOnly(prefix);
    assertThat(ranges.overlaps()).isEmpty();
  }

  @DisplayName("NI-19/NI-20/NI-D17 A setting that is wrong is named, with what is expected")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          podSubnetCIDR=1.2.3./19            | node-id-pod-subnet-cidr=1.2.3./19 is not a CIDR: in the address, an octet is missing. Expected: a range such as 10.1.0.0/16.
          vppHostSubnetCIDR=1.2.3./19        | node-id-link-subnet-cidr=1.2.3./19 is not a CIDR: in the address, an octet is missing.
          nodeInterconnectCIDR=1.2.3./19     | node-id-interconnect-cidr=1.2.3./19 is not a CIDR: in the address, an octet is missing.
          vxlanCIDR=10.0.0.0                 | node-id-overlay-cidr=10.0.0.0 is not a CIDR: it has no /length.
          serviceCIDR=                       | service-cluster-ip-range is not a CIDR: it has no /length.
          contivCIDR=x                       | node-id-whole-cidr=x is not a CIDR
          podSubnetOneNodePrefixLen=0        | node-id-pod-subnet-prefix=0 is not accepted. Expected: a whole number from 1 to 128.
          podSubnetCIDR=10.0.0.0/19 podSubnetOneNodePrefixLen=18  | node-id-pod-subnet-prefix=18 is no longer than the prefix length of 10.0.0.0/19. Expected: 20 to 29.
          podSubnetCIDR=10.0.0.0/19 podSubnetOneNodePrefixLen=19  | node-id-pod-subnet-prefix=19 is no longer than the prefix length of 10.0.0.0/19.
          vppHostSubnetCIDR=172.0.0.0/19 vppHostSubnetOneNodePrefixLen=18 | node-id-link-subnet-prefix=18 is no longer than the prefix length of 172.0.0.0/19. Expected: 20 to 30.
          podSubnetOneNodePrefixLen=30       | node-id-pod-subnet-prefix=30 leaves no address for pods. Expected: 17 to 29.
          podSubnetOneNodePrefixLen=31       | node-id-pod-subnet-prefix=31 leaves no address for pods.
          podSubnetOneNodePrefixLen=32       | node-id-pod-subnet-prefix=32 leaves no address for pods.
          podSubnetOneNodePrefixLen=33       | node-id-pod-subnet-prefix=33 is longer than an address. Expected: 17 to 29.
          vppHostSubnetOneNodePrefixLen=31   | node-id-link-subnet-prefix=31 leaves less than the two addresses of a link. Expected: 17 to 30.
          vppHostSubnetOneNodePrefixLen=32   | node-id-link-subnet-prefix=32 leaves less than the two addresses of a link.
          vxlanCIDR=192.168.30.0/31          | node-id-overlay-cidr=192.168.30.0/31 has no address for a node. Expected: a prefix length of 30 or shorter.
          vxlanCIDR=192.168.30.0/32          | node-id-overlay-cidr=192.168.30.0/32 has no address for a node.
          nodeInterconnectCIDR=192.168.16.0/31 | node-id-interconnect-cidr=192.168.16.0/31 has no address for a node.
          nodeInterconnectCIDR=192.168.16.0/30 node-id-excluded-addresses=192.168.16.1,192.168.16.2 | node-id-excluded-addresses=192.168.16.1,192.168.16.2 leaves no address of 192.168.16.0/30. Exclude fewer addresses.
          nodeInterconnectCIDR=fe80::/64     | node-id-interconnect-cidr=fe80::/64 is of IPv6, but the pod subnets are of IPv4. Set all ranges to one family.
          serviceCIDR=2096::/110             | service-cluster-ip-range=2096::/110 is of IPv6, but the pod subnets are of IPv4.
          nodeInterconnectCIDR=192.168.16.0/24 node-id-excluded-addresses=fe80::1 | node-id-excluded-addresses=fe80::1 has fe80::1, but the interconnect 192.168.16.0/24 is of IPv4. Exclude addresses of the interconnect alone.
          node-id-excluded-addresses=a.b     | node-id-excluded-addresses=a.b has "a.b" is not an IP address: unexpected 'a' at position 0. Expected: addresses.
          contivCIDR=10.130.0.0/18           | node-id-whole-cidr=10.130.0.0/18 has less than 18 bits for its four parts. Expected: a prefix length of 14 or shorter.
          contivCIDR=10.130.0.0/15           | node-id-whole-cidr=10.130.0.0/15 has less than 18 bits
          contivCIDR=fe10::/120              | node-id-whole-cidr=fe10::/120 has less than 18 bits for its four parts. Expected: a prefix length of 110 or shorter.
          contivCIDR=fe10::/64               | service-cluster-ip-range=10.96.0.0/12 is of IPv4, but the pod subnets are of IPv6.
          contivCIDR=10.128.0.0/14 nodeInterconnectCIDR=fe80::/64 | node-id-interconnect-cidr=fe80::/64 is of IPv6
          ipam-profile=contiv                | ipam-profile=contiv is not accepted. Expected: tidemark or reference.
          """)
  void refused(String settings, String problem) {
    assertThat(read(settings)).isEmpty();
    assertThat(problems.found()).hasSize(1);
    assertThat(problems.found().get(0).toString())
        .matches(text -> text.contains(": " + problem), "contains " + problem);
  }

  @DisplayName("The same in IPv6: prefix lengths up to 125 and 126")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          podSubnetOneNodePrefixLen=126     | node-id-pod-subnet-prefix=126 leaves no address for pods. Expected: 91 to 125.
          podSubnetOneNodePrefixLen=127     | node-id-pod-subnet-prefix=127 leaves no address for pods.
          podSubnetOneNodePrefixLen=128     | node-id-pod-subnet-prefix=128 leaves no address for pods.
          podSubnetOneNodePrefixLen=90      | node-id-pod-subnet-prefix=90 is no longer than the prefix length of fe10:f00d::/90.
          vppHostSubnetOneNodePrefixLen=127 | node-id-link-subnet-prefix=127 leaves less than the two addresses of a link. Expected: 91 to 126.
          vxlanCIDR=fe20:f00d::/127         | node-id-overlay-cidr=fe20:f00d::/127 has no address for a node. Expected: a prefix length of 126 or shorter.
          vxlanCIDR=fe20:f00d::/128         | node-id-overlay-cidr=fe20:f00d::/128 has no address for a node.
          vxlanCIDR=192.168.30.0/24         | node-id-overlay-cidr=192.168.30.0/24 is of IPv4, but the pod subnets are of IPv6.
          """)
  void refusedIpv6(String setting, String problem) {
    String others =
        "podSubnetCIDR=fe10:f00d::/90 podSubnetOneNodePrefixLen=120"
            + " vppHostSubnetCIDR=fe30:f00d::/90 vppHostSubnetOneNodePrefixLen=126"
            + " vxlanCIDR=fe20:f00d::/120 nodeInterconnectDHCP=true serviceCIDR=2096::/110";
    String key = setting.substring(0, setting.indexOf('='));
    read(others.replaceAll(key + "=\\S+", setting));
    assertThat(problems.found()).hasSize(1);
    assertThat(problems.found().get(0).toString()).contains(problem);
  }

  @Test
  @DisplayName("All problems are told at once")
  void all() {
    assertThat(
            read(
                "podSubnetCIDR=x vppHostSubnetCIDR=y nodeInterconnectCIDR=z vxlanCIDR=10.0.0.0/33"
                    + " serviceCIDR=s podSubnetOneNodePrefixLen=a node-id-excluded-addresses=b"))
        .isEmpty();
    assertThat(problems.found())
        .extracting(ConfigProblem::key)
        .containsExactlyInAnyOrder(
            "node-id-pod-subnet-cidr",
            "node-id-link-subnet-cidr",
            "node-id-interconnect-cidr",
            "node-id-overlay-cidr",
            "service-cluster-ip-range",
            "node-id-pod-subnet-prefix",
            "node-id-excluded-addresses");
  }

  @DisplayName("NI-D9 Every pair of overlapping ranges is named")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nodeInterconnectCIDR=192.168.16.0/24 | -
          nodeInterconnectCIDR=10.1.16.0/24    | pod subnets 10.1.0.0/16 and interconnect 10.1.16.0/24 overlap
          nodeInterconnectCIDR=192.168.0.0/16  | interconnect 192.168.0.0/16 and overlay 192.168.30.0/24 overlap
          podSubnetCIDR=172.30.0.0/16          | pod subnets 172.30.0.0/16 and link subnets 172.30.0.0/16 overlap
          vxlanCIDR=10.1.0.0/24                | pod subnets 10.1.0.0/16 and overlay 10.1.0.0/24 overlap
          podSubnetCIDR=10.100.0.0/16          | pod subnets 10.100.0.0/16 and services 10.96.0.0/12 overlap
          nodeInterconnectCIDR=172.30.7.0/24   | link subnets 172.30.0.0/16 and interconnect 172.30.7.0/24 overlap
          vxlanCIDR=172.30.7.0/24              | link subnets 172.30.0.0/16 and overlay 172.30.7.0/24 overlap
          serviceCIDR=172.16.0.0/12            | link subnets 172.30.0.0/16 and services 172.16.0.0/12 overlap
          nodeInterconnectCIDR=10.96.0.0/24    | interconnect 10.96.0.0/24 and services 10.96.0.0/12 overlap
          serviceCIDR=192.168.30.0/24          | overlay 192.168.30.0/24 and services 192.168.30.0/24 overlap
          """)
  void overlaps(String settings, String pair) {
    assertThat(sound(settings).ranges().overlaps())
        .extracting(Object::toString)
        .isEqualTo(pair.equals("-") ? List.of() : List.of(pair));
  }

  @Test
  @DisplayName("docs/config.md lists every key of node ids with its form, default and meaning")
  void documented() {
    SettingsTable.assertListed("## Subnets from node ids", NodeIdKey.all());
  }

  @Test
  @DisplayName("docs/node-id.md lists every name of Contiv with its key")
  void ofContiv() {
    String page = Repository.text("docs/node-id.md");
    for (Option<?> key : NodeIdKey.all()) {
      for (String alias : key.aliases()) {
        assertThat(page).contains("\n| `" + alias + "` | `" + key.key() + "` |\n");
      }
    }
  }
}
