package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Taint;
import io.tidemark.ip.IpAddress;
import io.tidemark.kubernetes.server.CiliumNodes;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.operator.Program.Result;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.UsedAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("kubernetes")
@Tag("long")
@DisplayName("Nodes without addresses take no pods on a real API server (taint-exhausted-nodes)")
class TaintOnServerTest {
  private static final String TAINT = "tidemark.io/no-pod-addresses";
  private static final List<String> NAMES = List.of("a", "b");
  private static final String LEASE = "tidemark-operator";

  /** The arguments of this cluster's operators, but for the taint. */
  private static final String RUN =
      "run --provider=mock --port=0 --nodes-gc-interval=0 --leader-election-namespace=default"
          + NodesOnServer.QUICK;

  private static final String TAINTING = RUN + " --taint-exhausted-nodes=true --taint-delay=1s";

  @RegisterExtension private final NodesOnServer cluster = new NodesOnServer();
  private CiliumNodes objects;

  @BeforeEach
  void create() {
    objects = new CiliumNodes(cluster.admin());
    for (String name : NAMES) {
      cluster.create(name, "{\"taints\":[{\"key\":\"theirs\",\"effect\":\"PreferNoSchedule\"}]}");
      objects.create(
          """
              {"apiVersion":"cilium.io/v2","kind":"CiliumNode","metadata":{"name":"NAME"},
               "spec":{"instance-id":"i-NAME","ipam":{"pre-allocate":4,"max-allocate":4},"eni":{
                 "availability-zone":"eu-central-1a","first-interface-index":0,
                 "instance-type":"m5.large","node-subnet-id":"subnet-a","vpc-id":"vpc-1"}}}
              """
              .replace("NAME", name));
    }
  }

  /** The agent says that pods use so many addresses; again when another writer was faster. */
  private void use(String name, int count) {
    Eventually.holds(
        name + " uses " + count,
        () -> {
          NodeResource now = objects.node(name);
          if (now.pool().size() < count) {
            return false;
          }
          Map<IpAddress, UsedAddress> used = new TreeMap<>();
          now.pool().addresses().first(count).forEach(it -> used.put(it, new UsedAddress("p", "")));
          try {
            objects.writeStatus(now.withUsed(used));
            return true;
          } catch (io.fabric8.kubernetes.client.KubernetesClientException e) {
            return false;
          }
        });
  }

  private Node node(String name) {
    return cluster.admin().client().nodes().withName(name).get();
  }

  private static List<String> keys(Node node) {
    return node.getSpec().getTaints().stream()
        .map(Taint::getKey)
        .filter(key -> !key.startsWith("node.kubernetes.io/"))
        .toList();
  }

  private static Optional<NodeCondition> condition(Node node) {
    return node.getStatus().getConditions().stream()
        .filter(each -> each.getType().equals("PodAddressesAvailable"))
        .findFirst();
  }

  /** Where a scheduler may place a pod that tolerates nothing. */
  private List<String> open() {
    return NAMES.stream()
        .filter(
            name ->
                node(name).getSpec().getTaints().stream()
                    .noneMatch(
                        taint ->
                            taint.getKey().equals(TAINT) && taint.getEffect().equals("NoSchedule")))
        .toList();
  }

  private void opens(String... names) {
    Eventually.holds("open are " + List.of(names), () -> open().equals(List.of(names)));
  }

  private void says(String name, String status) {
    Eventually.holds(
        name + " says " + status,
        () -> condition(node(name)).map(NodeCondition::getStatus).equals(Optional.of(status)));
  }

  /** Asks the scheduler for a place for a pod, for which the nodes need not be ready. */
  private void pod(String name) {
    cluster
        .admin()
        .client()
        .raw(
            "/api/v1/namespaces/default/pods",
            "POST",
            """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"NAME"},"spec":{
              "containers":[{"name":"c","image":"i"}],
              "tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists"}]}}
            """
                .replace("NAME", name));
  }

  private Pod placed(String name) {
    return cluster.admin().client().pods().inNamespace("default").withName(name).get();
  }

  private void goesTo(String name, String node) {
    Eventually.holds(
        name + " goes to " + node, () -> node.equals(placed(name).getSpec().getNodeName()));
  }

  @Test
  @DisplayName("Pods go elsewhere and come back, although the operator is killed in between")
  void killed() throws Exception {
    for (String name : NAMES) {
      String room = "{\"cpu\":\"9\",\"memory\":\"9Gi\",\"pods\":\"9\"}";
      cluster.patch(name + "/status", "{\"status\":{\"allocatable\":" + room + "}}");
    }
    cluster.schedule();
    Process first = cluster.leader(TAINTING, LEASE);
    use("a", 4);
    opens("b");
    says("a", "False");
    NodeCondition condition = condition(node("a")).orElseThrow();
    assertThat(condition.getReason()).isEqualTo("MaxAllocate");
    assertThat(condition.getMessage()).contains("TM-1208", "Raise spec.ipam.max-allocate");
    assertThat(keys(node("a"))).containsExactly("theirs", TAINT);

    for (String pod : List.of("pod-1", "pod-2", "pod-3")) {
      pod(pod);
      goesTo(pod, "b");
    }

    NodesOnServer.kill(first);
    use("a", 0);
    assertThat(open()).containsExactly("b");
    cluster.patch("b", "{\"spec\":{\"unschedulable\":true}}");
    pod("pod-4");
    Eventually.holds(
        "no node is left",
        () ->
            placed("pod-4").getStatus().getConditions().stream()
                .anyMatch(it -> "Unschedulable".equals(it.getReason())));
    Program second = cluster.start(TAINTING);
    opens("a", "b");
    says("a", "True");
    goesTo("pod-4", "a");
    use("b", 4);
    opens("a");
    second.awaitMetrics("cilium_operator_ipam_nodes_tainted 1.0");
    second.stop().ends(0);
    assertThat(keys(node("b"))).containsExactly("theirs", TAINT);

    Program third = cluster.start(RUN);
    opens("a", "b");
    says("b", "True");
    assertThat(keys(node("b"))).containsExactly("theirs");
    third.stop().ends(0);
  }

  @Test
  @DisplayName("doctor --untaint removes what is left, and says where")
  void untaint() throws Exception {
    Program operator = cluster.start(TAINTING);
    use("a", 4);
    opens("b");
    says("a", "False");
    operator.stop().ends(0);

    Result result = cluster.run("doctor --untaint").ends(0);

    assertThat(result.out()).contains("taint  a     ok").doesNotContain("taint  b");
    assertThat(open()).isEqualTo(NAMES);
    says("a", "True");
    assertThat(keys(node("a"))).containsExactly("theirs");
    assertThat(cluster.run("doctor --untaint").ends(0).out()).contains("none has it");
  }
}
