package io.tidemark.provider.azure.ipam;

import static io.tidemark.provider.azure.ipam.Landscape.configuration;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.model.AuditLog;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.azure.AzureSettingsSample;
import io.tidemark.provider.azure.network.ArmSamples;
import io.tidemark.resource.AzureStatus;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.SyncOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

@DisplayName("Reads of sets, groups and single machines (Z36-Z41)")
class ScopedReadsTest {
  private static final String LIST_OF_SET =
      "Interfaces.ListVirtualMachineScaleSetNetworkInterfaces";

  private final AzureWorld world = new AzureWorld(ModelOptions.of(1));
  private final Landscape land = new Landscape(world);
  private AzureAllocation azure = world.allocation();

  private OneNode unread(String machine) {
    return OneNode.unread(world, azure, world.resource(machine), false);
  }

  private SyncOutcome resync() {
    return world.await(azure.resync(world.context()));
  }

  private static boolean isKnown(OneNode node) {
    return node.node.inventory() instanceof Inventory.Known;
  }

  @TestFactory
  Stream<DynamicTest> stories() {
    return AzureStory.all(
        "",
        """
        AZ-N1 a page that fails fails its set only, and what is known of that set stays
          UNIFORM: cloud page-size: 1; first: unread; instance pool-a 2; third: unread; at MACHINE;
          machine: unread; fault fail listOfSet skip=1 times=1; resync; machine: known;
          first: unknown; asked listOfSet 2; resync; first: known; third: known; asked listOfSet 5;
          asked Interfaces.List 2
        AZ-N1 when every list fails the whole read has failed
          UNIFORM: unread; at MACHINE; machine: unread; fault fail *; resync Failed
        AZ-N2 of two sets one that is not found loses its nodes after a second sight only
          UNIFORM: set pool-c nodes eth0; alwaysDue; stays: unread; instance pool-c 0; goes: unread;
          resync ?; goes: known; fault fail listOfSet on=pool-c status=404 code=NotFound; resync;
          goes: known; 59s; resync ?; goes: known; 2s; resync ?; goes: unknown; stays: known
        AZ-N2 a machine that is not found is gone after a second read a horizon later
          unread; sync; delete; sync Failed; known; 60s; sync InstanceNotFound; vanished
        AZ-N2 an interface that was taken from its machine is shown no more
          MACHINE: machine loses nodes; interface second nodes; on; detach loses-eth0; sync ?;
          showsInterface second; detach second; delete; sync ?; 60s; sync InstanceNotFound
        AZ-N2 an interface that was deleted and replaced is no reason to miss its machine
          MACHINE: machine changes nodes; on; detach changes-eth0;
          fault fail Interfaces.Get on=/changes-eth0 status=404 code=NotFound;
          interface second nodes; sync; showsInterface second
        AZ-B26 AZ-B27 an interface without MAC is kept, not offered, and shows no address
          MACHINE: cloud mac-delay: 30s; machine late nodes; unread; sync; macless; withRoom 0;
          blocked ?; restart; resync; macless; withRoom 0; blocked ?; 31s; sync; add 3
        AZ-B26 AZ-B27 nor does one of an instance
          UNIFORM: cloud mac-delay: 30s; instance pool-a 7; unread; sync; macless; withRoom 0;
          blocked ?; restart; resync; macless; withRoom 0; blocked ?; 31s; sync; add 3
        AZ-B26 addresses of an interface that loses its MAC are not shown any more
          MACHINE: on; add 3; answers "macAddress":"[^"]*" => "macAddress":""; 10m; sync ?; macless;
          shown 0
        1.4 of a machine whose interfaces are shown in part nothing is taken
          MACHINE: machine two nodes; interface two-eth1 nodes; on;
          fault fail Interfaces.Get times=1; sync Failed; interfaces 2; noFault;
          fault fail Interfaces.Get skip=1 times=1; sync Failed; interfaces 2
        AZ-N38 what is outside of the settings' group is not listed, and says so
          UNIFORM: settings azure-resource-group others; unread; resync ?; asked listOfSet 0;
          blocked NOT_SELECTED
        AZ-N38 a set is read for its other nodes when one of them is deleted
          UNIFORM: alwaysDue; on; at SECOND; stays: on; at UNIFORM; remove; at SECOND; other on;
          other add 2 as theirs; 6m; resync ?; asked listOfSet 1; stays: has theirs
        AZ-N38 a set is not read any more when the last of its nodes is deleted
          UNIFORM: alwaysDue; on; at SECOND; second: on; resync ?; asked listOfSet 1; remove;
          at UNIFORM; remove; resync ?; asked listOfSet 1
        AZ-N20 F6 a list whose second page is not found ends
          UNIFORM: cloud page-size: 1; unread; fault fail listOfSet status=404 code=NotFound skip=1;
          resync ?; asked listOfSet 2; unknown
        AZ-N20 F11 a virtual machine is read alone, by the names of its interfaces
          MACHINE: on; asked VirtualMachines.Get 1; sync ?; asked VirtualMachines.Get 1;
          asked Interfaces.Get 2; asked Interfaces.List 0\
        """);
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
