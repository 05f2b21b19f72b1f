package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.model.AuditLog;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.model.Resources;
import io.tidemark.ip.Cidr;
import io.tidemark.node.NodeManagerConfig;
import io.tidemark.resource.AzureStatus;
import io.tidemark.resource.IpamSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.contract.ContractWorld;
import io.tidemark.spi.contract.NodeShape;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("What is read of Azure for its nodes, and what of it is theirs (13.6, 13.9)")
class ScopesOnAzureTest {
  private static final IpamSpec EIGHT = IpamSpec.of(8, 0, 0, 0);

  /** Reads as in production: full ones each five minutes. */
  private static final AzureSettings CALM =
      new AzureSettings(
          AzureContractCloud.SETTINGS.horizon(),
          AzureContractCloud.SETTINGS.overlayExpiry(),
          AzureContractCloud.SETTINGS.pollInterval(),
          Duration.ofMinutes(5),
          AzureContractCloud.SETTINGS.namePrefix(),
          false,
          AzureContractCloud.SETTINGS.release(),
          false,
          0,
          AzureContractCloud.SETTINGS.fence());

  private static ContractWorld world(boolean uniform) {
    return new ContractWorld(
        time -> new AzureContractCloud(time, uniform, ModelOptions.builder(17)).with(CALM));
  }

  private static AzureContractCloud cloud(ContractWorld world) {
    return (AzureContractCloud) world.cloud;
  }

  private static List<AuditLog.Entry> audit(ContractWorld world) {
    return cloud(world).azure().handler().use(model -> model.audit().entries());
  }

  private static Document configuration(String subnet, String name, boolean primary) {
    return Document.of("name", name)
        .with(
            "properties",
            Document.of("primary", primary).with("subnet", Document.reference(subnet)));
  }

  private static Document interfaceModel(String name, List<Document> configurations) {
    return Document.of("name", name)
        .with(
            "properties",
            Document.of("primary", name.equals("eth0")).with("ipConfigurations", configurations));
  }

  private static void create(ContractWorld world, String node, String machine, String nic) {
    world.create(
        AzureSpecSampleJson.named(
                Samples.node(node).instanceId(machine.toLowerCase(Locale.ROOT)).build(), nic)
            .withIpam(EIGHT));
  }

  @ParameterizedTest(name = "uniform: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName(
      "AZ-N36 ids in another case between two reads: one interface, and no write of status")
  void respelled(boolean uniform) {
    ContractWorld world =
        new ContractWorld(
            time -> new AzureContractCloud(time, uniform, ModelOptions.builder(18)).respelled());
    world.cloud.subnet("subnet-a", Cidr.parse("10.0.0.0/20"));
    world.start(NodeManagerConfig.defaults());
    for (String node : List.of("node1", "node2")) {
      world.launch(node, NodeShape.of(1, 255), "subnet-a");
      world.create(world.resource(node, EIGHT));
    }
    world.act();
    world.run(Duration.ofMinutes(1));
    for (String node : List.of("node1", "node2")) {
      assertThat(world.availableUsed(node)).isEqualTo("8/0");
      assertThat(world.report(node).interfaces()).isEqualTo(1);
      NodeResource written = world.server.find(node).orElseThrow();
      int before = audit(world).size();
      world.run(Duration.ofMinutes(10));
      assertThat(audit(world)).as("reads went on").hasSizeGreaterThan(before + 5);
      NodeResource now = world.server.find(node).orElseThrow();
      assertThat(now.resourceVersion()).isEqualTo(written.resourceVersion());
      assertThat(now.azureStatus().orElseThrow().interfaces()).hasSize(1);
    }
    assertThat(world.provider.poolQuota()).hasSize(1);
  }

  // ---- scopes

  private static String providers(int subscription, String group) {
    return "/subscriptions/00000000-0000-0000-0000-00000000000"
        + subscription
        + "/resourceGroups/"
        + group
        + "/providers/";
  }

  /** Makes a set with a network of its own; answers the ids of its instances. */
  private static List<String> set(ContractWorld world, int subscription, String name, int count) {
    String network =
        providers(subscription, "network") + "Microsoft.Network/virtualNetworks/" + name;
    String subnet = network + "/subnets/nodes";
    String set =
        providers(subscription, "workers") + "Microsoft.Compute/virtualMachineScaleSets/" + name;
    List<String> made = new ArrayList<>();
    cloud(world)
        .azure()
        .change(
            owner -> {
              owner.addNetwork(network, "westeurope");
              owner.addSubnet(subnet, List.of(Cidr.parse("10.0.0.0/16")), false, 0);
              owner.addScaleSet(
                  set,
                  "westeurope",
                  true,
                  List.of(interfaceModel("eth0", List.of(configuration(subnet, "primary", true)))));
              for (int i = 0; i < count; i++) {
                made.add(owner.addInstance(set, i));
              }
            });
    return made;
  }

  @Test
  @DisplayName(
      "AZ-N38 a hundred nodes in two subscriptions and three sets: at rest at most two reads a"
          + " minute, and nobody else's sets")
  void scopes() {
    ContractWorld world = world(true);
    List<String> machines = new ArrayList<>();
    machines.addAll(set(world, 1, "pool-a", 40));
    machines.addAll(set(world, 1, "pool-b", 30));
    machines.addAll(set(world, 2, "pool-c", 30));
    set(world, 2, "others", 20);
    world.start(NodeManagerConfig.defaults());
    for (int i = 0; i < machines.size(); i++) {
      create(world, "node" + i, machines.get(i), "eth0");
    }
    world.run(Duration.ofMinutes(5));
    for (int i = 0; i < machines.size(); i++) {
      assertThat(world.availableUsed("node" + i)).isEqualTo("8/0");
    }
    int before = audit(world).size();
    world.run(Duration.ofMinutes(60));
    List<AuditLog.Entry> all = audit(world);
    assertThat(all.size() - before).isBetween(3 * 12, 2 * 60);
    assertThat(all).noneMatch(each -> each.path().contains("others"));
    assertThat(all).allMatch(each -> each.status() == 200);
  }

  @Test
  @DisplayName("AZ-N38 scopes are read in the order of their paths, in every run the same")
  void order() {
    ContractWorld world = world(true);
    for (int i = 0; i < 8; i++) {
      create(world, "node" + i, set(world, 1, "pool-" + i, 1).get(0), "eth0");
    }
    world.start(NodeManagerConfig.defaults());
    world.run(Duration.ofMinutes(5));
    int before = audit(world).size();
    world.run(Duration.ofMinutes(5));
    List<String> lists =
        audit(world).stream().skip(before).map(AuditLog.Entry::path).distinct().toList();
    assertThat(lists).hasSizeGreaterThanOrEqualTo(8).isSorted();
  }

  // ---- the interface that is for pods

  @ParameterizedTest(name = "uniform: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("AZ-N52 only the interface of the wanted name serves pods, whatever others have")
  void wantedInterface(boolean uniform) {
    ContractWorld world = world(uniform);
    world.cloud.subnet("subnet-a", Cidr.parse("10.0.0.0/20"));
    String nodes = providers(1, "Nodes");
    String subnet = nodes + "Microsoft.Network/virtualNetworks/cluster/subnets/subnet-a";
    List<String> made = new ArrayList<>();
    cloud(world).azure().change(owner -> made.add(machine(owner, uniform, nodes, subnet)));
    String wanted = uniform ? "eth1" : "worker-eth1";
    world.start(NodeManagerConfig.defaults());
    create(world, "worker", made.get(0), wanted);
    world.act();
    assertThat(world.availableUsed("worker")).isEqualTo("8/0");
    NodeResource written = world.server.find("worker").orElseThrow();
    AzureStatus.Interface shown =
        written.azureStatus().orElseThrow().interfaces().values().iterator().next();
    assertThat(written.azureStatus().orElseThrow().interfaces()).hasSize(1);
    assertThat(shown.name()).isEqualTo(wanted);
    assertThat(shown.addresses().stream().map(AzureStatus.Address::ip))
        .containsExactlyInAnyOrderElementsOf(written.pool().addresses().toList());
    assertThat(written.pool().addresses().size()).isEqualTo(8);
    assertThat(written.pool().byResource()).containsOnlyKeys(shown.id());
  }

  /** Two interfaces, of which the first one has addresses of somebody else. */
  private static String machine(Resources owner, boolean uniform, String nodes, String subnet) {
    List<Document> first =
        List.of(
            configuration(subnet, "primary", true),
            configuration(subnet, "Cilium-other1", false),
            configuration(subnet, "Cilium-other2", false));
    List<Document> second = List.of(configuration(subnet, "primary", true));
    if (uniform) {
      String set = nodes + "Microsoft.Compute/virtualMachineScaleSets/pool";
      owner.addScaleSet(
          set,
          "westeurope",
          true,
          List.of(interfaceModel("eth0", first), interfaceModel("eth1", second)));
      return owner.addInstance(set, 0);
    }
    String machine = nodes + "Microsoft.Compute/virtualMachines/worker";
    owner.addMachine(machine, "westeurope", Optional.empty());
    String nics = nodes + "Microsoft.Network/networkInterfaces/worker-";
    owner.addInterface(nics + "eth0", machine, first, Document.EMPTY);
    owner.addInterface(nics + "eth1", machine, second, Document.EMPTY);
    return machine;
  }
}
