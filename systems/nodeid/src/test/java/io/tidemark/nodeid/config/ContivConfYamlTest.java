package io.tidemark.nodeid.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.config.ConfigProblems;
import io.tidemark.config.Setting;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A contiv.conf")
class ContivConfYamlTest {
  private final ConfigProblems problems = new ConfigProblems();

  private Optional<ContivConfYaml.Content> read(String text) {
    return ContivConfYaml.read("c.conf", text, problems);
  }

  private ContivConfYaml.Content sound(String text) {
    Optional<ContivConfYaml.Content> content = read(text);
    assertThat(problems.found()).isEmpty();
    return content.orElseThrow();
  }

  @Test
  @DisplayName("is read as it stands, with the line of each setting")
  void settings() {
    ContivConfYaml.Content content =
        sound(
            """
            useTAPInterfaces: true
            mtuSize: 1450
            ipamConfig:
              podSubnetCIDR: 10.1.0.0/16
              podSubnetOneNodePrefixLen: 24
              vppHostSubnetCIDR: "172.30.0.0/16"
              PodSubnetonenodeprefixlen: 25
              vxlanCIDR:
              nodeInterconnectCIDR: 192.168.16.0/24
            """);
    assertThat(content.settings())
        .containsExactly(
            new Setting("podSubnetCIDR", "10.1.0.0/16", "c.conf:4"),
            new Setting("podSubnetOneNodePrefixLen", "25", "c.conf:7"),
            new Setting("vppHostSubnetCIDR", "172.30.0.0/16", "c.conf:6"),
            new Setting("nodeInterconnectCIDR", "192.168.16.0/24", "c.conf:9"));
    assertThat(content.notes())
        .containsExactly("passed over, since no address depends on it: useTAPInterfaces, mtuSize");
  }

  @Test
  @DisplayName("excludes the gateways of the cluster and of its nodes on all nodes")
  void gateways() {
    String text =
        """
        ipamConfig:
          nodeInterconnectCIDR: 192.168.16.0/24
          defaultGateway: 192.168.16.1
        nodeConfig:
          - nodeName: a
            gateway: 192.168.16.100
          - nodeName: b
            gateway: 192.168.16.1
        """;
    ContivConfYaml.Content content = sound(text);
    assertThat(content.settings())
        .contains(
            new Setting(
                "node-id-excluded-addresses",
                "192.168.16.1,192.168.16.100",
                "c.conf:3 (as gateway)"));
    assertThat(content.notes())
        .containsExactly(
            "nodes have different gateways, 192.168.16.1, 192.168.16.100: no node gets any of"
                + " these addresses");
    assertThat(sound(text.replace("default", "nodeInterconnectDHCP: true\n  default")).settings())
        .extracting(Setting::key)
        .doesNotContain("node-id-excluded-addresses");
  }

  @Test
  @DisplayName("names what has no effect: keys of later versions, external IPAM, own addresses")
  void notes() {
    assertThat(
            sound(
                    """
                    ipamConfig:
                      useExternalIPAM: true
                      srv6:
                        servicePolicyBSIDSubnetCIDR: 8fff::/16
                      customIPAMSubnets: []
                    nodeConfig:
                      - nodeName: a
                        mainVPPInterface:
                          interfaceName: Gig0
                          ip: 192.168.16.9/24
                      - mainVPPInterface: {useDHCP: true}
                      - nodeName: c
                        stealInterface: eth0
                    """)
                .notes())
        .containsExactly(
            "ipamConfig.useExternalIPAM is true: a node's pod subnet is the pod CIDR of its Node"
                + " object, not the one that follows from its id",
            "passed over, since nothing here reads it: ipamConfig.srv6,"
                + " ipamConfig.customIPAMSubnets",
            "node a has its own address, 192.168.16.9/24, in place of the one that follows from"
                + " its id",
            "node nodeConfig[1] has its own address, by DHCP, in place of the one that follows"
                + " from its id");
  }

  @Test
  @DisplayName("without ipamConfig has the defaults, which is told")
  void nodesOnly() {
    ContivConfYaml.Content content = sound("nodeConfig: []\n");
    assertThat(content.settings()).isEmpty();
    assertThat(content.notes())
        .containsExactly("c.conf has no ipamConfig: the defaults of its keys count");
  }

  @DisplayName("that cannot be read is refused with the line")
  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ipamConfig:                                 | c.conf:1: ipamConfig has no keys; the file may be cut off
          ipamConfig: 10.1.0.0/16                     | c.conf:1: ipamConfig has no keys; the file may be cut off
          ipamConfig: {podSubnetCIDR: [10.1.0.0/16]}  | c.conf:1: ipamConfig.podSubnetCIDR is not plain text
          nodeConfig: {nodeName: a}                   | c.conf:1: nodeConfig is not a list of nodes
          nodeConfig: [a]                             | c.conf:1: nodeConfig[0] has no keys
          nodeConfig: [{gateway: 192.168.16}]         | c.conf:1: nodeConfig[0].gateway=192.168.16 is not an address. Expected: an address such as 192.168.16.1.
          ipamConfig: {defaultGateway: router}        | c.conf:1: ipamConfig.defaultGateway=router is not an address.
          """)
  void refused(String text, String problem) {
    read(text);
    assertThat(problems.found()).hasSize(1);
    assertThat(problems.found().get(0).toString()).startsWith(problem);
  }

  @DisplayName("is told from other texts")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "node-id-pod-subnet-cidr: 10.1.0.0/16",
        "- ipamConfig",
        "ipamConfig",
        "ipamConfig:\n  podSubnetCIDR: 10.1.0.0/16\n  podSubnetOneNo",
        "ipamConfig: {podSubnetCIDR: 10.1.0.0/16"
      })
  void others(String text) {
    assertThat(read(text)).isEmpty();
    assertThat(problems.found()).isEmpty();
  }
}
