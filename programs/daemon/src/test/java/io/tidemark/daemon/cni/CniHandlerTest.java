package io.tidemark.daemon.cni;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.agent.InterfaceDetails;
import io.tidemark.daemon.cni.TestAgent.Reply;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.metrics.Metric;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Requests of a CNI plugin")
class CniHandlerTest {
  private static final int REQUESTS = Integer.getInteger("tidemark.daemon.requests", 1_000);

  private final TestAgent agent = new TestAgent("10.0.0.0/24", "fd00::/64");

  @ParameterizedTest(name = "A90 the result of version {0}")
  @ValueSource(strings = {"1.0.0", "1.1.0"})
  void result(String version) {
    Reply reply = agent.ask(TestAgent.request("ADD", "c1", version, ""));

    assertThat(reply.output())
        .isEqualTo(
            "{'cniVersion':'VERSION','ips':[{'address':'10.0.0.18/24','gateway':'10.0.0.1'},"
                    .replace("VERSION", version)
                    .replace('\'', '"')
                + ("{'address':'fd00::12/64','gateway':'fd00::1'}],'routes':[{'dst':'0.0.0.0/0'},"
                        + "{'dst':'::/0'}],'dns':{},"
                        + "'io.tidemark':{'pool':'default','interfaces':[]}}")
                    .replace('\'', '"'));
  }

  @ParameterizedTest(name = "A90 the result of version {0} says the family of each address")
  @ValueSource(strings = {"0.3.1", "0.4.0"})
  void olderResult(String version) {
    Reply reply = agent.ask(TestAgent.request("ADD", "c1", version, ""));

    assertThat(reply.json().path("ips").findValuesAsText("version")).containsExactly("4", "6");
  }

  @Test
  @DisplayName("A90 Addresses can be written whole, and without a gateway")
  void otherForms() {
    agent.prefix = ResultForm.Prefix.HOST;
    agent.gateway = GatewayChoice.NONE;
    agent.restart();
    Reply reply = agent.add("c1");

    assertThat(reply.addresses()).containsExactly("10.0.0.18/32", "fd00::12/128");
    assertThat(reply.output()).doesNotContain("gateway");
  }

  /** An interface that has every address of the node. */
  private NodeNetworks ofInterface(NodeNetworks networks) {
    return new NodeNetworks() {
      @Override
      public List<Cidr> cidrs() {
        return networks.cidrs();
      }

      @Override
      public Stream<IpAddress> gateways(Cidr network) {
        return networks.gateways(network);
      }

      @Override
      public Optional<InterfaceDetails> interfaceOf(IpAddress ip) {
        boolean v4 = ip.family() == IpFamily.IPV4;
        return Optional.of(
            new InterfaceDetails(
                "eni-1",
                v4 ? "02:00:00:00:00:01" : "",
                "2",
                Optional.empty(),
                v4 ? Optional.of(IpAddress.parse("10.0.0.254")) : Optional.empty(),
                List.of(Cidr.parse("10.0.0.0/16"))));
      }
    };
  }

  @ParameterizedTest(name = "A90 a result of version {0} has the interface of each address")
  @ValueSource(strings = {"0.3.1", "0.4.0", "1.0.0", "1.1.0"})
  void interfaces(String version) {
    agent.networks = ofInterface(agent.networks);
    agent.restart();
    JsonNode own =
        agent.ask(TestAgent.request("ADD", "c1", version, "")).json().path("io.tidemark");

    assertThat(own.path("pool").asText()).isEqualTo("default");
    assertThat(own.path("interfaces"))
        .hasToString(
            ("[{'resource':'eni-1','mac':'02:00:00:00:00:01','number':'2',"
                    + "'cidrs':['10.0.0.0/16'],'gateway':'10.0.0.254'},"
                    + "{'resource':'eni-1','number':'2','cidrs':['10.0.0.0/16']}]")
                .replace('\'', '"'));
  }

  @Test
  @DisplayName("A90 The gateway can be that of the interface: then no address is held for one")
  void interfaceGateway() {
    agent.gateway = GatewayChoice.INTERFACE;
    agent.networks = ofInterface(agent.networks);
    agent.restart();

    assertThat(agent.inUse()).isZero();
    assertThat(agent.add("c1").json().path("ips"))
        .hasToString(
            "[{'address':'10.0.0.18/24','gateway':'10.0.0.254'},{'address':'fd00::12/64'}]"
                .replace('\'', '"'));
  }

  @Test
  @DisplayName("A90 Routes of the configuration take the place of the default routes")
  void routes() {
    Reply reply =
        agent.ask(
            TestAgent.request("ADD", "c1", "1.1.0", "")
                .replace(
                    "-ipam\"}",
                    "-ipam\",\"routes\":[{\"dst\":\"10.0.0.0/8\",\"gw\":\"10.0.0.9\"}]}"));

    assertThat(reply.json().path("routes"))
        .hasToString("[{\"dst\":\"10.0.0.0/8\",\"gw\":\"10.0.0.9\"}]");
  }

  @Test
  @DisplayName(
      "A90 CHECK compares prevResult with what is attached; an unknown container is code 3")
  void check() {
    String known = agent.add("c1").output();

    assertThat(check("c1", known).succeeded()).isTrue();
    assertThat(check("c2", known).code()).isEqualTo(3);
    assertThat(check("c1", known.replace("10.0.0.18", "10.0.0.19")).code()).isEqualTo(1806);
    assertThat(agent.ask(TestAgent.request("CHECK", "c1", "1.1.0", "")).code()).isEqualTo(7);
  }

  private Reply check(String container, String previous) {
    return agent.ask(TestAgent.request("CHECK", container, "1.1.0", ",\"prevResult\":" + previous));
  }

  /** Text to replace in a whole request, its replacement, the code, a part of the details. */
  @ParameterizedTest(name = "A91 {3}")
  @CsvSource(
      delimiter = '|',
      value = {
        "TIDEMARK-CNI/1 | TIDEMARK-CNI/2 | 6 | the first line is not TIDEMARK-CNI/1",
        "CNI_COMMAND=ADD | CNI_X=y | 4 | CNI_COMMAND is not set",
        "CNI_COMMAND=ADD | CNI_COMMAND=ERASE | 4 | CNI_COMMAND is 'ERASE'",
        "CNI_CONTAINERID=c1 | CNI_X=y | 4 | CNI_CONTAINERID must be set",
        "CNI_CONTAINERID=c1 | CNI_CONTAINERID=../c1 | 4 | CNI_CONTAINERID is '../c1'",
        "CNI_IFNAME=eth0 | CNI_IFNAME= | 4 | CNI_IFNAME must be set",
        "CNI_IFNAME=eth0 | CNI_IFNAME=a/b | 4 | CNI_IFNAME is 'a/b'",
        "CNI_IFNAME=eth0 | CNI_IFNAME=sixteen-letters- | 4 | CNI_IFNAME is 'sixteen-letters-'",
        "CNI_NETNS=/ | CNI_NETNS | 4 | 'CNI_NETNSvar/run/netns/x' is not CNI_NAME=value",
        "CNI_NETNS= | PATH= | 4 | 'PATH=/var/run/netns/x' is not CNI_NAME=value",
        "CNI_NETNS= | CNI_IFNAME= | 4 | CNI_IFNAME is given twice",
        "IgnoreUnknown=1; | IgnoreUnknown=1;IP=10.0.0.20; | 4 | CNI_ARGS asks for IP=10.0.0.20",
        "IgnoreUnknown=1; | IP=all; | 4 | CNI_ARGS asks for IP=all",
        "IgnoreUnknown=1 | IgnoreUnknown | 4 | CNI_ARGS has 'IgnoreUnknown'",
        "IgnoreUnknown=1 | IgnoreUnknown=yes | 4 | CNI_ARGS has IgnoreUnknown=yes",
        "K8S_POD_NAMESPACE= | =; | 4 | CNI_ARGS has '='",
        "K8S_POD_NAMESPACE= | A=b=c;K= | 4 | CNI_ARGS has 'A=b=c'",
        "K8S_POD_NAMESPACE= | K8S_POD_NAME= | 4 | CNI_ARGS has 'K8S_POD_NAME=pod-c1'",
        "IgnoreUnknown=1; | ; | 4 | CNI_ARGS has ''",
        "'{\"cniVersion' | '{\"runtimeConfig\":{\"ips\":[\"10.0.0.20/24\"]},\"cniVersion' | 2 | runtimeConfig.ips asks for addresses",
        "'{\"cniVersion' | '{\"args\":{\"cni\":{\"ips\":[\"10.0.0.20\"]}},\"cniVersion' | 2 | args.cni.ips asks for addresses",
        "1.1.0 | 2.0.0 | 1 | cniVersion is '2.0.0'",
        "cniVersion | version | 1 | cniVersion is '0.1.0'",
        "'\"net\"' | 7 | 7 | name is not a text",
        "'\"net\"' | '\"../net\"' | 7 | name is '../net'",
        "ipam\":{ | other\":{ | 7 | ipam is missing or not an object",
        "'-ipam\"}' | '-ipam\",\"subnet\":\"10.0.0.0/8\",\"x\":1}' | 2 | ipam has subnet",
        "'-ipam\"}' | '-ipam\",\"routes\":[{\"dst\":\"all\"}]}' | 7 | ipam.routes has dst 'all'",
        "'-ipam\"}' | '-ipam\",\"routes\":4}' | 7 | ipam.routes is not a list",
        "'-ipam\"}}' | '-ipam\"}' | 6 | the configuration is not JSON, line 1",
        "'-ipam\"}}' | '-ipam\"}}}' | 6 | the configuration is not JSON, line 1",
        "'{\"cniVersion' | '[]{\"cniVersion' | 6 | the configuration is not JSON, line 1",
      })
  void refused(String from, String to, int code, String details) {
    String whole = TestAgent.request("ADD", "c1", "1.1.0", "");
    assertThat(whole).contains(from);
    Reply reply = agent.ask(whole.replace(from, to));

    assertThat(reply.succeeded()).isFalse();
    assertThat(reply.json().path("details").asText()).contains(details);
    assertThat(reply.code()).isEqualTo(code);
    assertThat(agent.inUse()).isEqualTo(2);
  }

  @Test
  @DisplayName("A91 A DEL with arguments that an ADD is refused for frees what there is")
  void deleteWithAnyArguments() {
    agent.add("c1");
    String whole = TestAgent.request("DEL", "c1", "1.1.0", ",\"runtimeConfig\":{\"ips\":[\"x\"]}");
    assertThat(agent.ask(whole.replace("IgnoreUnknown=1", "IP=10.0.0.20;broken")).succeeded())
        .isTrue();
    assertThat(agent.inUse()).isEqualTo(2);
  }

  @Test
  @DisplayName("A90 Arguments that ask for nothing are accepted: none, empty ones, unknown ones")
  void otherArguments() {
    String whole = TestAgent.request("ADD", "c1", "1.1.0", ",\"runtimeConfig\":{\"ips\":[]}");
    String arguments = "IgnoreUnknown=1;K8S_POD_NAMESPACE=ns;K8S_POD_NAME=pod-c1";
    for (String other : List.of("", "IP=", "K8S_POD_UID=1-2", "IgnoreUnknown=TRUE;MAC=a:b")) {
      assertThat(agent.ask(whole.replace(arguments, other)).succeeded()).as(other).isTrue();
    }
  }

  @ParameterizedTest(name = "A91 {0} of {1}: {2}")
  @CsvSource({
    "STATUS,1.0.0,1",
    "STATUS,0.3.1,1",
    "STATUS,1.1.0,0",
    "GC,1.0.0,1",
    "GC,1.1.0,7",
    "CHECK,0.3.1,1",
    "CHECK,0.4.0,7"
  })
  @DisplayName("A91 A command is refused for versions of CNI that do not have it")
  void olderVersions(String command, String version, int code) {
    Reply reply = agent.ask(TestAgent.request(command, "c1", version, ""));
    assertThat(reply.succeeded() ? 0 : reply.code()).isEqualTo(code);
    if (code == 1) {
      assertThat(reply.json().path("cniVersion").asText()).isEqualTo(version);
      assertThat(reply.json().path("details").asText())
          .contains("cniVersion is '" + version + "'; " + command + " exists since ");
    }
  }

  /** Text to replace in a whole request, its replacement, and the version of the answer. */
  @ParameterizedTest(name = "A91 {3}")
  @CsvSource(
      delimiter = '|',
      value = {
        "CNI_COMMAND=ADD | CNI_X=y | 0.4.0 | a variable is missing",
        "CNI_COMMAND=ADD | CNI_COMMAND=ERASE | 0.4.0 | the command is not known",
        "CNI_NETNS= | PATH= | 0.4.0 | a line is no variable",
        "TIDEMARK-CNI/1 | TIDEMARK-CNI/2 | 0.4.0 | the protocol is another one",
        "'\"net\"' | 7 | 0.4.0 | the configuration is wrong",
        "0.4.0 | 2.0.0 | 1.0.0 | the version is not known",
        "'-ipam\"}}' | '-ipam\"}' | 1.0.0 | the configuration cannot be read",
      })
  void versionOfFailure(String from, String to, String version, String why) {
    Reply reply = agent.ask(TestAgent.request("ADD", "c1", "0.4.0", "").replace(from, to));

    assertThat(reply.succeeded()).as(why).isFalse();
    assertThat(reply.json().path("cniVersion").asText()).isEqualTo(version);
  }

  @Test
  @DisplayName("Answers are counted by command and code, with the time until each")
  void measured() {
    agent.add("c1");
    agent.ask(TestAgent.request("STATUS", "c1", "1.1.0", ""));
    agent.ask(TestAgent.request("ERASE", "c1", "1.1.0", ""));
    agent.ask("nonsense");

    assertThat(agent.measured.all(Metric.AGENT_CNI_REQUESTS))
        .isEqualTo(Map.of("ADD 0", 1.0, "STATUS 0", 1.0, "other 4", 1.0, "other 6", 1.0));
    assertThat(agent.measured.time(Metric.AGENT_CNI_DURATION, "ADD")).isEqualTo(TestAgent.WRITE);
  }

  @Test
  @DisplayName("A91 Variables that are not UTF-8 are refused")
  void notUtf8() {
    byte[] whole = TestAgent.request("ADD", "c1", "1.1.0", "").getBytes(UTF_8);
    whole[new String(whole, UTF_8).indexOf("pod-c1")] = (byte) 0xFF;
    CompletableFuture<Reply> reply = agent.send(whole);
    assertThat(reply.join().output()).contains("the variables are not UTF-8");
    assertThat(reply.join().code()).isEqualTo(6);
  }

  @Test
  @DisplayName("A91 A value with a line break is no other variable: the request is refused")
  void lineBreak() {
    String whole = TestAgent.request("ADD", "c1", "1.1.0", "");
    Reply reply = agent.ask(whole.replace("pod-c1", "pod\nCNI_COMMAND=DEL"));
    assertThat(reply.output()).contains("CNI_COMMAND is given twice");
    assertThat(agent.ask(whole.replace("pod-c1", "pod\nx")).code()).isEqualTo(4);
  }

  @Test
  @DisplayName("A91 A request that is cut off anywhere is refused and changes nothing")
  void cutOff() {
    byte[] whole = TestAgent.request("ADD", "c1", "1.1.0", "").getBytes(UTF_8);
    for (int length = 0; length < whole.length; length++) {
      CompletableFuture<Reply> reply = agent.send(Arrays.copyOf(whole, length));
      agent.pass(Duration.ofMillis(5));
      assertThat(reply.join().succeeded()).isFalse();
    }
    assertThat(agent.inUse()).isEqualTo(2);
  }

  @Test
  @DisplayName(
      "A91 Requests with random bytes are answered, each with a form that is known (number:"
          + " -Dtidemark.daemon.requests)")
  void fuzzed() {
    long seed = Long.getLong("tidemark.seed", 21);
    Random random = new Random(seed);
    String[] commands = {"ADD", "DEL", "CHECK", "GC", "STATUS"};
    for (int i = 0; i < REQUESTS; i++) {
      String command = commands[random.nextInt(commands.length)];
      byte[] bytes =
          TestAgent.request(command, "c" + random.nextInt(5), "1.1.0", "").getBytes(UTF_8);
      for (int changes = random.nextInt(6); changes >= 0; changes--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      CompletableFuture<Reply> reply =
          agent.send(Arrays.copyOf(bytes, bytes.length - random.nextInt(2) * random.nextInt(40)));
      agent.pass(Duration.ofMillis(20));
      assertThat(reply).as("seed %s, request %s", seed, i).isCompleted();
      if (!reply.join().succeeded()) {
        assertThat(reply.join().code()).isPositive();
      }
    }
    assertThat(agent.add("after").succeeded()).isTrue();
  }
}
