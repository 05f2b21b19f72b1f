package io.tidemark.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.daemon.ipamd.grpc.RpcClient;
import io.tidemark.daemon.ipamd.grpc.Wire;
import io.tidemark.emulator.ec2.pace.Ec2FaultRule;
import io.tidemark.kubernetes.server.Eventually;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The command ipamd on an instance of EC2 whose pods have IPv6 addresses")
class IpamdIpv6OnEc2Test {
  private static final String WORLD =
      IpamdOnEc2.WORLD.replace("/16,", "/16, ipv6: true,").replace("/20}", "/20, ipv6: true}");

  private static final String[] IPV6 = {
    "--enable-ipv4=false", "--enable-ipv6", "--enable-prefix-delegation"
  };

  @TempDir Path folder;
  private final List<IpamdOnEc2> nodes = new ArrayList<>();

  private IpamdOnEc2 node(String world) {
    IpamdOnEc2 node = new IpamdOnEc2(folder, world);
    nodes.add(node);
    return node;
  }

  @AfterEach
  void close() {
    nodes.forEach(IpamdOnEc2::close);
  }

  /** The /80 prefixes of all interfaces. */
  private static List<String> prefixes(IpamdOnEc2 node) {
    return Pattern.compile("\"([0-9a-f:]+)/80\"")
        .matcher(node.state())
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  private static String primary(IpamdOnEc2 node) {
    return Pattern.compile("eni-[0-9a-f]{17}")
        .matcher(node.state())
        .results()
        .map(MatchResult::group)
        .findFirst()
        .orElseThrow();
  }

  @Test
  @DisplayName("D121 D125 One /80 serves all pods; a restart keeps it and what they have")
  void serves() throws Exception {
    IpamdOnEc2 node = node(WORLD);
    List<String> given = new ArrayList<>();
    node.serving(
        client -> {
          for (int pod = 0; pod < 3; pod++) {
            given.add(IpamdOnEc2.addUntilGiven(client, "pod-" + pod));
          }
          byte[] again = IpamdOnEc2.reply(client, "pod-0");
          assertThat(Wire.address(again)).isEqualTo(given.get(0));
          assertThat(Wire.values(again, 6)).as("CIDRs of IPv4").isEmpty();
          assertThat(Wire.values(again, 12))
              .singleElement()
              .satisfies(cidr -> assertThat(cidr).endsWith("/56"));
        },
        IPV6);
    assertThat(given).doesNotHaveDuplicates();
    assertThat(prefixes(node)).containsExactly(given.get(0));
    node.serving(
        client -> {
          for (int pod = 0; pod < 3; pod++) {
            assertThat(IpamdOnEc2.add(client, "pod-" + pod)).isEqualTo(given.get(pod));
          }
          assertThat(Wire.address(IpamdOnEc2.del(client, "pod-1"))).isEqualTo(given.get(1));
          assertThat(IpamdOnEc2.add(client, "other")).isNotIn(given.get(0), given.get(2));
        },
        IPV6);
    assertThat(prefixes(node)).as("it is never given back").containsExactly(given.get(0));
  }

  @Test
  @DisplayName("AM21 IPv6 pods use the primary interface alone: no hook is waited for")
  void withoutHook() throws Exception {
    IpamdOnEc2 node = node(WORLD);
    List<String> settings = new ArrayList<>(List.of(IPV6));
    settings.add("--host-network-hook=" + node.hook("exit 1\n"));
    String said =
        node.serving(
            client ->
                assertThat(IpamdOnEc2.addUntilGiven(client, "pod"))
                    .isEqualTo(prefixes(node).get(0)),
            settings.toArray(String[]::new));
    assertThat(said).contains("host-network-hook has no effect");
  }

  @Test
  @DisplayName("D122 The /80 whose answer was lost is used, and no second one is asked for")
  void lostAnswer() throws Exception {
    IpamdOnEc2 node = node(WORLD);
    node.ec2
        .emulator()
        .faults(
            List.of(
                Ec2FaultRule.every("AssignIpv6Addresses", Ec2FaultRule.Kind.LOSE_ANSWER)
                    .window(0, 1)));
    node.serving(
        client ->
            assertThat(IpamdOnEc2.addUntilGiven(client, "pod")).isEqualTo(prefixes(node).get(0)),
        IPV6);
    assertThat(prefixes(node)).hasSize(1);
  }

  @Test
  @DisplayName("D122 Of several prefixes the first is used, and none is given back")
  void several() throws Exception {
    IpamdOnEc2 node = node(WORLD);
    node.asked("Action=AssignIpv6Addresses&Ipv6PrefixCount=2&NetworkInterfaceId=" + primary(node));
    assertThat(prefixes(node)).hasSize(2);
    node.serving(
        client -> {
          assertThat(IpamdOnEc2.add(client, "pod")).isEqualTo(prefixes(node).get(0));
          assertThat(IpamdOnEc2.add(client, "next")).startsWith(prefixes(node).get(0));
        },
        IPV6);
    assertThat(prefixes(node)).hasSize(2);
  }

  @Test
  @DisplayName("AM13 In a subnet without an IPv6 CIDR pods wait, and the reason is shown")
  void withoutIpv6() throws Exception {
    IpamdOnEc2 node = node(WORLD.replace(", ipv6: true}", "}"));
    String reason = "does not have an IPv6 CIDR block";
    String said =
        node.serving(
            client -> {
              Eventually.holds("the reason", () -> node.document("/readyz").contains(reason));
              assertThat(IpamdOnEc2.add(client, "pod")).isEmpty();
              assertThat(node.document("/v1/plan")).contains("\"family\":\"IPv6\"", "\"short\":1");
            },
            IPV6);
    assertThat(said).contains(reason);
  }

  @Test
  @DisplayName("D128 While EC2 is away IPv6 pods keep their addresses by the metadata")
  void away() throws Exception {
    IpamdOnEc2 node = node(WORLD);
    node.servesWhileAway(IPV6);
    assertThat(prefixes(node)).hasSize(1);
  }

  @Test
  @DisplayName(
      "D102 An instance without prefixes is refused for IPv6, and serves IPv4 without them")
  void instanceType() throws Exception {
    IpamdOnEc2 node = node(WORLD.replace("t3.small", "t2.small"));
    assertThat(node.refused(IPV6)).contains("TM-1713", "t2.small", "IPv6");
    String said =
        node.serving(
            client -> assertThat(IpamdOnEc2.addUntilGiven(client, "pod")).startsWith("10.0."),
            "--enable-prefix-delegation");
    assertThat(said).contains("t2.small have no prefixes: secondary addresses are assigned");
    assertThat(prefixes(node)).isEmpty();
    assertThat(node.serving(client -> {})).as("not asked for").doesNotContain("no prefixes");
  }

  @Test
  @DisplayName("D118 Agents of network policies are told the node's IPv6 address alone")
  void facts() throws Exception {
    IpamdOnEc2 node = node(WORLD);
    node.asked("Action=AssignIpv6Addresses&Ipv6AddressCount=1&NetworkInterfaceId=" + primary(node));
    node.serving(
        client -> {
          byte[] reply = client.call(RpcClient.CONFIGS, new byte[0]);
          assertThat(Wire.values(reply, 3)).isEmpty();
          assertThat(node.state()).contains("\"" + Wire.values(reply, 4).get(0) + "\"");
          assertThat(Wire.values(reply, 6)).containsExactly("eu-west-1");
        },
        IPV6);
    node.serving(
        client -> {
          byte[] reply = client.call(RpcClient.CONFIGS, new byte[0]);
          assertThat(Wire.values(reply, 3).get(0)).startsWith("10.0.");
          assertThat(Wire.values(reply, 4)).isEmpty();
        });
  }
}
