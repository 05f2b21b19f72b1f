package io.tidemark.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.tidemark.ip.IpAddress;
import io.tidemark.it.program.OperatorProcess;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.resource.NodeResource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("kubernetes")
@Tag("long")
@DisplayName("From cilium-operator to Tidemark and back, with 200 nodes and pods that keep running")
class MigrationTest {
  private static final int NODES = 200;
  private static final int SPARE = 4;

  /** So many nodes get more pods than their first interface has addresses. */
  private static final int CROWDED = 20;

  private static final Duration SLOW = Duration.ofMinutes(3);
  private static final Pattern PATCH = Pattern.compile("--patch='(.*)'");

  private static final String DEPLOYMENT =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: cilium-operator
        namespace: kube-system
        labels: {io.cilium/app: operator, name: cilium-operator}
      spec:
        replicas: 2
        selector: {matchLabels: {io.cilium/app: operator}}
        template:
          metadata: {labels: {io.cilium/app: operator}}
          spec:
            containers:
            - name: cilium-operator
              image: registry.example/cilium/operator-aws:v1.17.6
              args: [--config-dir=/tmp/cilium/config-map, --debug=false]
      """;

  @TempDir private Path folder;

  private static OperatorProcess.Result doctor(ClusterWorld world) throws Exception {
    return world.command("doctor", "--migration");
  }

  /** As the Deployment controller does, which does not run here. */
  private static void rollOut(ClusterWorld world, Deployment deployment) {
    int replicas = deployment.getSpec().getReplicas();
    world
        .admin
        .client()
        .resource(deployment)
        .editStatus(
            each ->
                new DeploymentBuilder(each)
                    .withNewStatus()
                    .withObservedGeneration(each.getMetadata().getGeneration())
                    .withReplicas(replicas)
                    .withUpdatedReplicas(replicas)
                    .withReadyReplicas(replicas)
                    .endStatus()
                    .build());
  }

  private static Set<String> pool(NodeResource node) {
    Set<String> all = new TreeSet<>();
    node.pool()
        .byResource()
        .values()
        .forEach(addresses -> addresses.forEach(each -> all.add(each.toString())));
    return all;
  }

  private static Map<String, Set<String>> pools(ClusterWorld world) {
    Map<String, Set<String>> all = new TreeMap<>();
    world.nodes.all().forEach(node -> all.put(node.name(), pool(node)));
    return all;
  }

  /** Of each node that its pool has the spare addresses, beside those of its pods. */
  private static void poolsAreFull(ClusterWorld world, List<ClusterAgent> agents) {
    List<String> names = world.names();
    Eventually.holds(
        "every pool has its spare addresses",
        SLOW,
        () -> {
          Map<String, Set<String>> pools = pools(world);
          return IntStream.range(0, names.size())
              .allMatch(
                  i ->
                      pools.getOrDefault(names.get(i), Set.of()).size()
                          >= agents.get(i).used().size() + SPARE);
        });
  }

  /** No pool has lost an address, and each address in use is attached and held once. */
  private static void nothingIsLost(
      ClusterWorld world, Map<String, Set<String>> before, List<ClusterAgent> agents) {
    Map<String, Set<String>> now = pools(world);
    before.forEach((name, addresses) -> assertThat(now.get(name)).as(name).containsAll(addresses));
    Set<String> attached = world.addresses().keySet();
    Set<String> held = new TreeSet<>();
    for (ClusterAgent agent : agents) {
      for (IpAddress address : agent.used().keySet()) {
        assertThat(held.add(address.toString())).as(address.toString()).isTrue();
        assertThat(attached).contains(address.toString());
      }
    }
  }

  private static void run(List<ClusterAgent> agents, int pods) {
    Eventually.holds(
        pods + " pods of each node have addresses",
        SLOW,
        () -> {
          boolean all = true;
          for (ClusterAgent agent : agents) {
            all &= agent.turn(pods);
          }
          return all;
        });
  }

  @Test
  @DisplayName("doctor names the step, no address is lost, and pools grow again after a pause")
  void bothWays() throws Exception {
    try (ClusterWorld world = new ClusterWorld(folder, NODES, "\"pre-allocate\":" + SPARE)) {
      Deployment other =
          world
              .admin
              .client()
              .resource(Serialization.unmarshal(DEPLOYMENT, Deployment.class))
              .create();
      ClusterOperator cilium = world.cilium("cilium-operator");
      List<ClusterAgent> agents = new ArrayList<>();
      SplittableRandom random = new SplittableRandom(1);
      for (String name : world.names()) {
        agents.add(new ClusterAgent(world.nodes, name, random.split()));
      }
      run(agents, 2);
      poolsAreFull(world, agents);
      Map<String, Set<String>> before = pools(world);

      OperatorProcess.Result refused = doctor(world).ends(3);
      assertThat(refused.out())
          .containsPattern("Deployment kube-system/cilium-operator +failed")
          .contains("200, of which 200 have addresses or CIDRs; 400 addresses are in use");
      Matcher patch = PATCH.matcher(refused.out());
      assertThat(patch.find()).as(refused.out()).isTrue();
      Deployment patched =
          world
              .admin
              .client()
              .resource(other)
              .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), patch.group(1));
      assertThat(cilium.terminate()).isZero();
      assertThat(doctor(world).ends(3).out()).contains("its rollout is not complete");
      rollOut(world, patched);
      assertThat(doctor(world).ends(0).out()).contains("it allocates nothing in mode crd");

      int had = world.addresses().size();
      int interfaces = world.interfaces().size();
      long requests = world.requests(any -> true);
      ClusterOperator idle = world.cilium("cilium-operator-idle", Map.of("CILIUM_IPAM", "crd"));
      run(agents, 4); // each pool lacks spare addresses now
      idle.awaitLog("Initialization complete");
      assertThat(world.requests(any -> true)).as("requests of EC2").isEqualTo(requests);

      long started = System.nanoTime();
      ClusterOperator tidemark = world.operator("tidemark");
      run(agents.subList(0, CROWDED), 7);
      Eventually.holds("a pool grows", SLOW, () -> world.addresses().size() > had);
      long first = System.nanoTime();
      poolsAreFull(world, agents);
      System.out.printf(
          "%d nodes: first new address %.1f s after the start, last %.1f s%n",
          NODES, (first - started) / 1e9, (System.nanoTime() - started) / 1e9);
      nothingIsLost(world, before, agents);
      Map<String, Set<String>> during = pools(world);
      assertThat(tidemark.status()).doesNotContain("TM-1217");

      assertThat(Collections.frequency(world.tagsOfMade("tidemark.io/cluster"), "example"))
          .isPositive()
          .isEqualTo(world.interfaces().size() - interfaces);

      assertThat(tidemark.terminate()).isZero();
      requests = world.requests(any -> true);
      run(agents.subList(0, CROWDED), 8);
      run(agents.subList(CROWDED, NODES), 5);
      assertThat(world.requests(any -> true)).as("requests of EC2").isEqualTo(requests);
      assertThat(idle.terminate()).isZero();

      ClusterOperator again = world.cilium("cilium-operator-again");
      poolsAreFull(world, agents);
      assertThat(again.isAlive()).isTrue();
      nothingIsLost(world, during, agents);
    }
  }
}
