package io.tidemark.provider.azure.ipam;

import static io.tidemark.provider.azure.ipam.Landscape.configuration;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.AuditLog;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.request.ArmError;
import io.tidemark.emulator.kit.pace.DelayRange;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.azure.AzureSettingsSample;
import io.tidemark.provider.azure.network.ArmSamples;
import io.tidemark.resource.AzureStatus;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.SyncOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Reads of sets, groups and single machines (Z36-Z41)")
class ScopedReadsTest {
  private static final String LIST_OF_SET =
      "Interfaces.ListVirtualMachineScaleSetNetworkInterfaces";

  private static final String SECOND = Form.UNIFORM.machine.replaceAll("0$", "1");

  private AzureWorld world = new AzureWorld(ModelOptions.of(1));
  private Landscape land = new Landscape(world);
  private AzureAllocation azure = world.allocation();

  private void use(ModelOptions options) {
    world = new AzureWorld(options);
    land = new Landscape(world);
    azure = world.allocation();
  }

  private OneNode unread(String machine) {
    return OneNode.unread(world, azure, world.resource(machine), false);
  }

  private SyncOutcome resync() {
    return world.await(azure.resync(world.context()));
  }

  private static boolean isKnown(OneNode node) {
    return node.node.inventory() instanceof Inventory.Known;
  }

  private static ArmFault notFound(String operation, String on) {
    return ArmFault.every(operation, ArmFault.Kind.FAIL)
        .on(on)
        .withError(ArmError.of(404, "NotFound", "x"));
  }

  @Test
  @DisplayName("AZ-N1 a page that fails fails its set only, and what is known of that set stays")
  void failingPage() {
    use(ModelOptions.builder(1).pageSize(1).build());
    land.addInstance("pool-a", 2);
    OneNode first = unread(Form.UNIFORM.machine);
    OneNode third = unread(Landscape.set("pool-a") + "/virtualMachines/2");
    OneNode other = unread(Form.MACHINE.machine);
    world.azure.faults(ArmFault.every(LIST_OF_SET, ArmFault.Kind.FAIL).window(1, 1));
    assertThat(resync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(isKnown(other)).isTrue();
    assertThat(isKnown(first)).as("no half of a list is taken in").isFalse();
    assertThat(world.asked(LIST_OF_SET)).isEqualTo(2);
    assertThat(resync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(isKnown(first)).isTrue();
    assertThat(isKnown(third)).isTrue();
    assertThat(world.asked(LIST_OF_SET)).as("three pages").isEqualTo(5);
    assertThat(world.asked("Interfaces.List")).as("two pages; not due again").isEqualTo(2);
  }

  @Test
  @DisplayName("AZ-N1 when every list fails the whole read has failed")
  void allFail() {
    unread(Form.UNIFORM.machine);
    unread(Form.MACHINE.machine);
    world.azure.faults(ArmFault.every("*", ArmFault.Kind.FAIL));
    assertThat(resync()).isInstanceOf(SyncOutcome.Failed.class);
  }

  @Test
  @DisplayName("AZ-N2 of two sets one that is not found loses its nodes after a second sight only")
  void missingSet() {
    land.addSet("pool-c", "nodes", "eth0");
    OneNode stays = unread(Form.UNIFORM.machine);
    OneNode goes = unread(land.addInstance("pool-c", 0));
    azure.close();
    azure = world.allocation(AzureSettingsSample.alwaysDue());
    stays = unread(stays.machine);
    goes = unread(goes.machine);
    resync();
    assertThat(isKnown(goes)).isTrue();
    world.azure.faults(notFound(LIST_OF_SET, "pool-c"));
    assertThat(resync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(isKnown(goes)).as("a wrong group or a revoked role look the same").isTrue();
    world.pass(Duration.ofSeconds(59));
    resync();
    assertThat(isKnown(goes)).isTrue();
    world.pass(Duration.ofSeconds(2));
    resync();
    assertThat(isKnown(goes)).isFalse();
    assertThat(isKnown(stays)).isTrue();
  }

  @EachForm
  @DisplayName("AZ-N2 a machine that is not found is gone after a second read a horizon later")
  void missingMachine(Form form) {
    OneNode node = unread(form.machine);
    assertThat(node.sync()).isInstanceOf(SyncOutcome.Synced.class);
    world.azure.change(owner -> owner.delete(form.machine));
    assertThat(node.sync()).isInstanceOf(SyncOutcome.Failed.class);
    assertThat(isKnown(node)).isTrue();
    world.pass(Duration.ofSeconds(60));
    assertThat(node.sync()).isInstanceOf(SyncOutcome.InstanceNotFound.class);
    assertThat(node.node.inventory()).isEqualTo(new Inventory.InstanceMissing(true));
  }

  @EachForm
  @DisplayName("AZ-B26 AZ-B27 an interface without MAC is kept, not offered, and shows no address")
  void withoutMac(Form form) {
    use(ModelOptions.builder(1).macDelay(DelayRange.fixed(Duration.ofSeconds(30))).build());
    // The usual scenario is made in no time, so this machine is made anew.
    String machine =
        form == Form.UNIFORM ? land.addInstance("pool-a", 7) : land.addMachine("late", "nodes");
    for (boolean full : new boolean[] {false, true}) {
      azure = world.allocation();
      OneNode node = unread(machine);
      assertThat(full ? resync() : node.sync()).isInstanceOf(SyncOutcome.Synced.class);
      assertThat(node.shown()).hasSize(1).allMatch(each -> each.mac().isEmpty());
      assertThat(node.known().statistics().interfacesWithRoom()).isZero();
      assertThat(node.blocked()).isPresent();
      assertThat(node.known().interfaces()).isEmpty();
    }
    OneNode node = unread(machine);
    world.pass(Duration.ofSeconds(31));
    node.sync();
    assertThat(node.added(3).size()).isEqualTo(3);
  }

  @Test
  @DisplayName("AZ-B26 addresses of an interface that loses its MAC are not shown any more")
  void loosesMac() {
    OneNode node = OneNode.on(world, azure, Form.MACHINE.machine);
    node.added(3);
    world.way.rewriting(
        body -> body.replaceAll("\"macAddress\":\"[^\"]*\"", "\"macAddress\":\"\""));
    world.pass(Duration.ofMinutes(10));
    node.sync();
    assertThat(node.shown()).hasSize(1).allMatch(each -> each.addresses().isEmpty());
    assertThat(node.known().interfaces()).isEmpty();
  }

  @Test
  @DisplayName("AZ-N9 AZ-N20 F4 ids in any case are the same machine, interface and subnet")
  void mixedCase() {
    String spelled = Form.UNIFORM.machine.replace("resourceGroups", "resourcegroups");
    OneNode node = unread("azure://" + spelled.toUpperCase(Locale.ROOT));
    assertThat(world.await(azure.instanceSync(world.id(Form.UNIFORM.machine), world.context())))
        .isInstanceOf(SyncOutcome.Synced.class);
    assertThat(isKnown(node)).isTrue();
    world.way.rewriting(
        body ->
            body.replace("/subnets/nodes", "/SUBNETS/Nodes").replace("/providers/", "/Providers/"));
    assertThat(node.added(2).size()).isEqualTo(2);
    assertThat(azure.poolQuota()).hasSize(1);
    assertThat(node.shown().get(0).cidr()).isPresent();
  }

  @EachForm
  @DisplayName(
      "AZ-N36 answers in another case change neither the section nor the number of interfaces")
  void anotherCase(Form form) {
    OneNode node = unread(form.machine);
    node.sync();
    node.added(2);
    var before = node.shown();
    world.way.rewriting(
        body ->
            body.replace("/resourceGroups/", "/RESOURCEGROUPS/")
                .replace("/networkInterfaces/", "/networkinterfaces/")
                .replace("/virtualNetworks/", "/VirtualNetworks/"));
    node.sync();
    azure = world.allocation();
    assertThat(node.shown()).isEqualTo(before);
    OneNode restarted =
        OneNode.unread(
            world, azure, node.node.withProviderStatus(world.resource(form.machine)), false);
    restarted.sync();
    assertThat(restarted.shown())
        .as("after a restart the status tells the spelling")
        .isEqualTo(before);
  }

  @Test
  @DisplayName("AZ-N10 AZ-N20 F5 an interface and a network elsewhere are asked for where they are")
  void elsewhere() {
    String there =
        "/subscriptions/00000000-0000-0000-0000-000000000002/resourceGroups/shared/providers"
            + "/Microsoft.Network/virtualNetworks/hub";
    String nic =
        "/subscriptions/00000000-0000-0000-0000-000000000003/resourceGroups/nics/providers"
            + "/Microsoft.Network/networkInterfaces/far";
    String machine = Landscape.machine("far");
    world.azure.change(
        owner -> {
          owner.addNetwork(there, "westeurope");
          owner.addSubnet(there + "/subnets/pods", List.of(Cidr.parse("10.9.0.0/24")), false, 0);
          owner.addMachine(machine, "westeurope", Optional.empty());
          owner.addInterface(
              nic, machine, List.of(ArmSamples.primary(there + "/subnets/pods")), Document.EMPTY);
        });
    OneNode node = OneNode.on(world, azure, machine);
    assertThat(node.added(4).size()).isEqualTo(4);
    assertThat(node.quota()).isEqualTo(251 - 1 - 4);
    assertThat(world.way.urls())
        .anyMatch(url -> url.contains("000000000003/resourceGroups/nics"))
        .anyMatch(url -> url.contains("000000000002/resourceGroups/shared"));
  }

  @Test
  @DisplayName("AZ-N10 a list that lacks an interface in another group takes no address away")
  void halfElsewhere() {
    String machine = land.addMachine("split", "nodes");
    String far = Landscape.nic("far").replace("resourceGroups/nodes", "resourceGroups/nics");
    world.azure.change(
        owner ->
            owner.addInterface(
                far, machine, List.of(configuration("primary", "nodes")), Document.EMPTY));
    OneNode node = OneNode.on(world, azure, machine);
    assertThat(node.shown()).hasSize(2);
    node.added(100);
    resync();
    assertThat(node.shown()).hasSize(2);
    assertThat(node.addresses().size()).isEqualTo(100);
  }

  @Test
  @DisplayName("AZ-N10 machines that the list of their group lacks are read in turn")
  void manyElsewhere() {
    AzureAllocation due = world.allocation(AzureSettingsSample.alwaysDue());
    List<OneNode> nodes = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      String machine = Landscape.machine("far-" + i);
      String nic = Landscape.nic("far-" + i).replace("resourceGroups/nodes", "resourceGroups/nics");
      world.azure.change(
          owner -> {
            owner.addMachine(machine, "westeurope", Optional.empty());
            owner.addInterface(
                nic, machine, List.of(configuration("primary", "nodes")), Document.EMPTY);
          });
      nodes.add(OneNode.unread(world, due, world.resource(machine), false));
    }
    world.await(due.resync(world.context()));
    assertThat(nodes.stream().filter(ScopedReadsTest::isKnown)).hasSize(32);
    world.await(due.resync(world.context()));
    assertThat(nodes).allMatch(ScopedReadsTest::isKnown);
  }

  @Test
  @DisplayName("AZ-N2 an interface that was taken from its machine is shown no more")
  void detached() {
    String machine = land.addMachine("loses", "nodes");
    land.addInterface("second", machine, configuration("primary", "nodes"));
    OneNode node = OneNode.on(world, azure, machine);
    world.azure.change(owner -> owner.detach(Landscape.nic("loses-eth0")));
    node.sync();
    assertThat(node.shown()).extracting(each -> each.name()).containsExactly("second");
    world.azure.change(owner -> owner.detach(Landscape.nic("second")));
    world.azure.change(owner -> owner.delete(machine));
    node.sync();
    world.pass(Duration.ofSeconds(60));
    assertThat(node.sync()).isInstanceOf(SyncOutcome.InstanceNotFound.class);
  }

  @Test
  @DisplayName("AZ-N2 an interface that was deleted and replaced is no reason to miss its machine")
  void replaced() {
    String machine = land.addMachine("changes", "nodes");
    OneNode node = OneNode.on(world, azure, machine);
    world.azure.change(owner -> owner.detach(Landscape.nic("changes-eth0")));
    world.azure.faults(notFound("Interfaces.Get", Landscape.nic("changes-eth0")));
    land.addInterface("second", machine, configuration("primary", "nodes"));
    assertThat(node.sync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(node.shown()).extracting(each -> each.name()).containsExactly("second");
  }

  @ParameterizedTest(name = "the interface of number {0}")
  @ValueSource(ints = {0, 1})
  @DisplayName("1.4 of a machine whose interfaces are shown in part nothing is taken")
  void shownInPart(int failing) {
    String machine = land.addMachine("two", "nodes");
    land.addInterface("two-eth1", machine, configuration("primary", "nodes"));
    OneNode node = OneNode.on(world, azure, machine);
    world.azure.faults(ArmFault.every("Interfaces.Get", ArmFault.Kind.FAIL).window(failing, 1));
    assertThat(node.sync()).isInstanceOf(SyncOutcome.Failed.class);
    assertThat(node.known().statistics().interfaces()).isEqualTo(2);
  }

  @Test
  @DisplayName("AZ-N38 what is outside of the settings' group is not listed, and says so")
  void fenced() {
    AzureAllocation fenced =
        world.allocation(AzureSettingsSample.of("azure-resource-group", "others"));
    OneNode node = OneNode.unread(world, fenced, world.resource(Form.UNIFORM.machine), false);
    world.await(fenced.resync(world.context()));
    assertThat(world.asked(LIST_OF_SET)).isZero();
    assertThat(node.blocked()).contains(BlockedReason.NOT_SELECTED);
  }

  @Test
  @DisplayName("AZ-N20 F6 a list whose second page is not found ends")
  void pageNotFound() {
    use(ModelOptions.builder(1).pageSize(1).build());
    OneNode node = unread(Form.UNIFORM.machine);
    world.azure.faults(notFound(LIST_OF_SET, "").window(1, Integer.MAX_VALUE));
    resync();
    assertThat(world.asked(LIST_OF_SET)).isEqualTo(2);
    assertThat(isKnown(node)).isFalse();
  }

  @Test
  @DisplayName("AZ-N20 F11 a virtual machine is read alone, by the names of its interfaces")
  void machineAlone() {
    OneNode node = OneNode.on(world, azure, Form.MACHINE.machine);
    assertThat(world.asked("VirtualMachines.Get")).isEqualTo(1);
    node.sync();
    assertThat(world.asked("VirtualMachines.Get")).as("the names are known").isEqualTo(1);
    assertThat(world.asked("Interfaces.Get")).isEqualTo(2);
    assertThat(world.asked("Interfaces.List")).isZero();
  }

  @Test
  @DisplayName("AZ-N52 the interface is chosen by its name, and others' addresses serve no pod")
  void byName() {
    land.addSubnet("second", "10.1.0.0/24");
    land.addSet("two", "nodes", "eth0", "eth1");
    String machine = land.addInstance("two", 0);
    OneNode node =
        OneNode.unread(
            world, azure, AzureSpecSampleJson.named(world.resource(machine), "eth1"), false);
    node.sync();
    assertThat(node.added(5).size()).isEqualTo(5);
    assertThat(node.shown()).extracting(each -> each.name()).containsExactly("eth1");
    NodeResource resource = AzureSpecSampleJson.named(world.resource(machine), "eth1");
    assertThat(
            azure
                .createNode(new NodeSettings("node", false, true, true), resource)
                .withProviderStatus(resource)
                .azureStatus()
                .orElseThrow()
                .interfaces()
                .values())
        .as("the reference shows all")
        .extracting(AzureStatus.Interface::name)
        .containsExactly("eth0", "eth1");
    assertThat(node.known().statistics().capacityIpv4()).as("two primaries").isEqualTo(254);
    world.azure.change(owner -> {});
    OneNode other = OneNode.on(world, world.allocation(), machine);
    assertThat(other.shown()).extracting(each -> each.name()).containsExactly("eth0", "eth1");
    assertThat(other.addresses().size()).as("all of them, without a name").isEqualTo(5);
    assertThat(other.added(2).size()).isEqualTo(2);
    node.sync();
    assertThat(node.addresses().size()).as("those of eth0 are another's").isEqualTo(5);
  }

  @Test
  @DisplayName("AZ-N52 the name is the interface's own, not the last part of its id")
  void ownName() {
    String machine = land.addMachine("own", "nodes");
    land.addInterface("a-second", machine, configuration("primary", "nodes"));
    world.way.rewriting(body -> body.replace("\"name\":\"a-second\"", "\"name\":\"eth1\""));
    OneNode node =
        OneNode.unread(
            world, azure, AzureSpecSampleJson.named(world.resource(machine), "eth1"), false);
    node.sync();
    assertThat(node.added(1).size()).isEqualTo(1);
    assertThat(node.known().interfaces())
        .singleElement()
        .satisfies(each -> assertThat(each.id().text()).endsWith("/a-second"));
  }

  @Test
  @DisplayName("AZ-N38 a set is read for its other nodes when one of them is deleted")
  void othersStay() {
    azure = world.allocation(AzureSettingsSample.alwaysDue());
    OneNode.on(world, azure, Form.UNIFORM.machine);
    OneNode stays = OneNode.on(world, azure, SECOND);
    azure.deleteInstance(world.id(Form.UNIFORM.machine));
    AddressSet theirs = OneNode.on(world, SECOND).added(2);
    world.pass(Duration.ofMinutes(6));
    resync();
    assertThat(world.asked(LIST_OF_SET)).isEqualTo(1);
    assertThat(stays.addresses()).isEqualTo(theirs);
  }

  @Test
  @DisplayName("AZ-N38 a set is not read any more when the last of its nodes is deleted")
  void lastGoes() {
    azure = world.allocation(AzureSettingsSample.alwaysDue());
    OneNode.on(world, azure, Form.UNIFORM.machine);
    OneNode.on(world, azure, SECOND);
    resync();
    assertThat(world.asked(LIST_OF_SET)).isEqualTo(1);
    azure.deleteInstance(world.id(Form.UNIFORM.machine));
    azure.deleteInstance(world.id(SECOND));
    resync();
    assertThat(world.asked(LIST_OF_SET)).isEqualTo(1);
  }

  @Test
  @DisplayName("AZ-N38 scopes are read in the order of their paths, in every run the same")
  void order() {
    for (int i = 0; i < 8; i++) {
      land.addSet("set-" + i, "nodes", "eth0");
      unread(land.addInstance("set-" + i, 0));
    }
    resync();
    List<AuditLog.Entry> sent = world.azure.handler().use(model -> model.audit().entries());
    assertThat(sent)
        .filteredOn(each -> each.operation().equals(LIST_OF_SET))
        .extracting(AuditLog.Entry::path)
        .hasSize(8)
        .isSorted();
  }
}
