package io.tidemark.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.it.program.OperatorProcess;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.PodIpPool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.ec2.model.NetworkInterface;

@Tag("kubernetes")
@DisplayName("From cilium-operator to Tidemark and back, with 200 nodes and pods that keep running")
class MigrationTest {
  private static final int NODES = 200;
  private static final Duration SLOW = Duration.ofMinutes(3);
  private static final Pattern PATCH = Pattern.compile("--type=json -p '(.*)'");

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

  /** Assigns addresses and writes them into the pools, under the name of the other operator. */
  private static final class OtherOperator {
    private static final String NAME = "cilium-operator-aws";

    private final ClusterWorld world;

    /** By instance, the one with the most room. */
    private final Map<String, NetworkInterface> interfaces = new HashMap<>();

    /** Started now: it reads the interfaces. */
    OtherOperator(ClusterWorld world) {
      this.world = world;
      for (NetworkInterface each : world.interfaces()) {
        interfaces.merge(each.attachment().instanceId(), each, OtherOperator::roomier);
      }
    }

    private static NetworkInterface roomier(NetworkInterface one, NetworkInterface other) {
      return one.privateIpAddresses().size() <= other.privateIpAddresses().size() ? one : other;
    }

    void adds(String name, int count) {
      NodeResource node = world.nodes.node(name);
      NetworkInterface own =
          Objects.requireNonNull(interfaces.get(node.instanceId().orElseThrow()));
      String eni = own.networkInterfaceId();
      Map<String, AddressSet> pool = new TreeMap<>(node.pool().byResource());
      List<IpAddress> all = new ArrayList<>();
      pool.getOrDefault(eni, AddressSet.of()).forEach(all::add);
      all.addAll(world.assign(eni, count));
      pool.put(eni, AddressSet.of(all.toArray(IpAddress[]::new)));
      NodeResource written = world.nodes.writeSpecAs(NAME, node.withPool(PodIpPool.of(pool)));
      if (node.eniStatus().isEmpty()) {
        NodeResource unused =
            world.nodes.writeStatusAs(NAME, written.withStatusSection("eni", status(own, all)));
      }
    }

    private static String status(NetworkInterface own, List<IpAddress> addresses) {
      return """
          {"enis":{"ENI":{"id":"ENI","ip":"PRIMARY","mac":"MAC","availability-zone":"eu-west-1a",
            "number":0,"subnet":{"id":"SUBNET","cidr":"10.0.0.0/20"},
            "vpc":{"id":"VPC","primary-cidr":"10.0.0.0/16"},"addresses":[ADDRESSES]}}}
          """
          .replace("ENI", own.networkInterfaceId())
          .replace("PRIMARY", own.privateIpAddress())
          .replace("MAC", own.macAddress())
          .replace("SUBNET", own.subnetId())
          .replace("VPC", own.vpcId())
          .replace(
              "ADDRESSES",
              addresses.stream()
                  .map(each -> '"' + each.toString() + '"')
                  .collect(Collectors.joining(",")));
    }
  }

  private static OperatorProcess.Result doctor(ClusterWorld world) throws Exception {
    return world.command("doctor", "--migration");
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

  private static void poolsHave(ClusterWorld world, int size) {
    Eventually.holds(
        "every pool has its spare addresses",
        SLOW,
        () -> pools(world).values().stream().allMatch(each -> each.size() >= size));
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
    try (ClusterWorld world = new ClusterWorld(folder, NODES, "\"pre-allocate\":4")) {
      Deployment other =
          world
              .admin
              .client()
              .resource(Serialization.unmarshal(DEPLOYMENT, Deployment.class))
              .create();
      OtherOperator operator = new OtherOperator(world);
      List<ClusterAgent> agents = new ArrayList<>();
      SplittableRandom random = new SplittableRandom(1);
      for (String name : world.names()) {
        operator.adds(name, 6);
        agents.add(new ClusterAgent(world.nodes, name, random.split()));
      }
      run(agents, 5);
      Map<String, Set<String>> before = pools(world);

      OperatorProcess.Result refused = doctor(world);
      assertThat(refused.exitCode()).as(refused.err()).isEqualTo(3);
      assertThat(refused.out())
          .containsPattern("Deployment kube-system/cilium-operator +failed")
          .contains("200, of which 200 have addresses or CIDRs; 1000 addresses are in use");
      Matcher patch = PATCH.matcher(refused.out());
      assertThat(patch.find()).as(refused.out()).isTrue();
      Deployment unusedPatched =
          world
              .admin
              .client()
              .resource(other)
              .patch(PatchContext.of(PatchType.JSON), patch.group(1));
      OperatorProcess.Result allowed = doctor(world);
      assertThat(allowed.exitCode()).as(allowed.out()).isZero();
      assertThat(allowed.out()).contains("it allocates nothing with --ipam=crd");

      long stopped = System.nanoTime();
      ClusterOperator tidemark = world.operator("tidemark");
      Eventually.holds("a pool grows", SLOW, () -> world.addresses().size() > NODES * 6);
      long first = System.nanoTime();
      poolsHave(world, 5 + 4);
      System.out.printf(
          "%d nodes: first new address %.1f s after the other operator's end, last %.1f s%n",
          NODES, (first - stopped) / 1e9, (System.nanoTime() - stopped) / 1e9);
      nothingIsLost(world, before, agents);
      run(agents, 7);
      poolsHave(world, 7 + 4);
      Map<String, Set<String>> during = pools(world);
      assertThat(tidemark.status()).doesNotContain("TM-1217");

      assertThat(tidemark.terminate()).isZero();
      OtherOperator again = new OtherOperator(world);
      for (String name : world.names()) {
        again.adds(name, 1);
        assertThat(pool(world.nodes.node(name))).containsAll(during.get(name));
      }
      run(agents, 8);
      nothingIsLost(world, during, agents);
    }
  }
}
