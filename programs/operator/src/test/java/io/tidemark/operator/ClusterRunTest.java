package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kubernetes.server.ApiServer;
import io.tidemark.kubernetes.server.ApiServer.User;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.operator.Program.Result;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("kubernetes")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@DisplayName("The program on the nodes of a cluster")
class ClusterRunTest {
  @RegisterExtension private static final ApiServer server = ApiServer.ofClass();
  private static CiliumNodes nodes;
  private static Path kubeconfig;

  @BeforeAll
  static void start() throws Exception {
    nodes = new CiliumNodes(server.admin());
    kubeconfig = server.kubeconfig(User.ADMIN);
    create("worker-a", "i-0a10000000000000a", "a", "\"pre-allocate\":8");
    create("worker-b", "i-0b10000000000000b", "b", "\"min-allocate\":20");
  }

  private static void create(String name, String instance, String zone, String ipam) {
    String text =
        """
        {"apiVersion":"cilium.io/v2","kind":"CiliumNode","metadata":{"name":"NAME"},
         "spec":{"instance-id":"INSTANCE","ipam":{IPAM},"eni":{
           "availability-zone":"eu-central-1ZONE","first-interface-index":0,
           "instance-type":"m5.large","node-subnet-id":"subnet-ZONE","vpc-id":"vpc-1"}}}
        """
            .replace("NAME", name)
            .replace("INSTANCE", instance)
            .replace("ZONE", zone)
            .replace("IPAM", ipam);
    nodes.create(text);
  }

  private static String[] arguments(String words) {
    return Program.arguments(words, "--kubeconfig=" + kubeconfig);
  }

  @Test
  @Order(1)
  @DisplayName("run --once fills the pools, status first; a second run changes nothing")
  void once() {
    Program.run(arguments("run --provider=mock --once")).ends(0);
    assertThat(nodes.node("worker-a").pool().size()).isEqualTo(8);
    assertThat(nodes.node("worker-b").pool().size()).isGreaterThanOrEqualTo(18);
    assertThat(nodes.node("worker-a").eniStatus()).isPresent();
    String version = nodes.node("worker-a").resourceVersion();
    Program.run(arguments("run --provider=mock --once")).ends(0);
    assertThat(nodes.node("worker-a").resourceVersion()).isEqualTo(version);
  }

  @Test
  @Order(2)
  @DisplayName("status and explain look at the cluster and change nothing, without a lease")
  void readOnly() {
    Result status = Program.run(arguments("status --provider=mock"));
    assertThat(status.out()).contains("worker-a").contains("worker-b");
    Program.run(arguments("explain --provider=mock worker-a")).ends(0);
    Result context =
        Program.run(
            Program.arguments(
                "status --provider=mock --context=none", "--kubeconfig=" + kubeconfig));
    assertThat(context.exitCode()).isEqualTo(2);
    assertThat(context.err()).contains("TM-1025").contains("no context 'none'");
    Result missing = Program.run("status", "--provider=mock", "--kubeconfig=missing").ends(2);
    assertThat(missing.err()).contains("TM-1025").contains("kubeconfig missing cannot be read");
  }

  @Test
  @Order(2)
  @DisplayName("a right that is missing is named in words, without a stack trace")
  void noRights() throws Exception {
    Result status =
        Program.run(
                Program.arguments(
                    "status --provider=mock --timeout=3s",
                    "--kubeconfig=" + server.kubeconfig(User.NOBODY)))
            .ends(4);
    assertThat(status.err())
        .contains("cannot list resource \"ciliumnodes\"", "Grant it")
        .doesNotContain("\tat ");
  }

  @Test
  @Order(3)
  @DisplayName("of two programs one stands by, and follows when the first is told to end")
  void handOver() throws Exception {
    Program first = Program.start(arguments("run --provider=mock --port=0"));
    first.awaitErr("This operator leads");
    Program second = Program.start(arguments("run --provider=mock --port=0"));
    second.awaitErr("On standby for the lease");
    assertThat(second.err()).doesNotContain("leads");
    first.stop().ends(0);
    second.awaitErr("This operator leads");
    nodes.writeSpec(nodes.node("worker-a").withPreAllocate(12));
    Eventually.holds("the pool grew", () -> nodes.node("worker-a").pool().size() >= 12);
    assertThat(second.stop().exitCode()).isZero();
  }

  @Test
  @Order(4)
  @DisplayName("a standby is ready, says that it stands by, and ends when it is told to")
  void standbyEnds() throws Exception {
    Program first = Program.start(arguments("run --provider=mock --port=0"));
    first.awaitErr("This operator leads");
    Program second = Program.start(arguments("run --provider=mock --port=0"));
    Eventually.holds(
        "the standby has read all", () -> second.ask("/readyz").body().equals("ready\n"));
    assertThat(second.ask("/healthz").body()).isEqualTo("ok\n");
    assertThat(second.ask("/status").body())
        .contains("\"leading\" : \"standby\"", "\"ready\" : true");
    assertThat(second.stop().exitCode()).isZero();
    assertThat(second.err()).doesNotContain("leads");
    assertThat(first.stop().exitCode()).isZero();
  }

  @Test
  @Order(5)
  @DisplayName("--once does not wait for another operator's end longer than its timeout")
  void onceBehindALeader() throws Exception {
    Program first = Program.start(arguments("run --provider=mock --port=0"));
    first.awaitErr("This operator leads");
    Result once = Program.run(arguments("run --provider=mock --once --timeout=1s")).ends(4);
    assertThat(once.err()).contains("another operator holds the lease");
    assertThat(first.stop().exitCode()).isZero();
  }

  @Test
  @Order(6)
  @DisplayName(
      "settings come from a ConfigMap, where ipam chooses the provider; others win over it")
  void configMap() {
    server
        .admin()
        .client()
        .raw(
            "/api/v1/namespaces/kube-system/configmaps",
            "POST",
            """
            {"apiVersion":"v1","kind":"ConfigMap",
             "metadata":{"name":"cilium-config","namespace":"kube-system"},
             "data":{"ipam":"eni","cluster-name":"west-1","enable-ipv4":"true","debug":"false"}}
            """);
    Result config =
        Program.run(arguments("config --config-map=kube-system/cilium-config --output=json"))
            .ends(0);
    assertThat(config.out()).contains("ConfigMap kube-system/cilium-config").contains("west-1");
    assertThat(config.out()).containsPattern("\"provider\" : \"aws\"|\"value\" : \"aws\"");
    Result over =
        Program.run(
            arguments("config --config-map=kube-system/cilium-config --cluster-name=north"));
    assertThat(over.out()).contains("north").doesNotContain("west-1");
    Program.run(arguments("status --provider=mock --config-map=kube-system/cilium-config")).ends(0);
    assertThat(Program.run(arguments("config --config-map=kube-system/none")).ends(2).err())
        .contains("there is no ConfigMap kube-system/none");
  }
}
