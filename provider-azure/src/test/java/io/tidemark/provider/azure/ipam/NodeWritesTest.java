package io.tidemark.provider.azure.ipam;

import static io.tidemark.provider.azure.ipam.Landscape.configuration;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.document.DocumentJson;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.ip.AddressSet;
import io.tidemark.provider.azure.network.IpConfiguration;
import io.tidemark.spi.AllocationOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

@DisplayName("What a write of a node sends and leaves (Z14, Z21-Z24)")
class NodeWritesTest {
  private final AzureWorld world = new AzureWorld(ModelOptions.of(1));
  private final Landscape land = new Landscape(world);
  private final AzureAllocation azure = world.allocation();

  private static Document json(String text) {
    return DocumentJson.read(text).orElseThrow();
  }

  private String lastWrite() {
    List<String> all = world.way.written();
    return all.get(all.size() - 1);
  }

  private List<Document> configurations(String nic) {
    return land.get(nic).object("properties").objects("ipConfigurations");
  }

  @TestFactory
  Stream<DynamicTest> stories() {
    return AzureStory.all(
        "",
        """
        AZ-B10 two addresses are added to one machine, and Azure has two less
          MACHINE: subnet wide 10.64.0.0/16; machine vm-1 wide; pools 0; on; quota 65530; add 2;
          quota 65528; other on; other quota 65528; interfaces 1
        AZ-B10 two addresses are added to one instance, and Azure has two less
          UNIFORM: subnet wide 10.64.0.0/16; set wide-set wide eth0; instance wide-set 0; pools 0;
          on; quota 65530; add 2; quota 65528; other on; other quota 65528; interfaces 1
        AZ-N17 AZ-N20 F1 F18 a fresh node gets exactly what it asks for, of its own subnet
          subnet a-first 10.1.0.0/24; on; add 1; has 1; add 8; has 9; add 3; has 12; azure 12;
          inSubnet nodes
        Z14 nothing is written without an etag, which could create what is gone
          on; answers "etag":"(\\\\"|[^"])*", =>; allocate 1 Refused; writes 0; answers asTheyAre;
          add 1
        AZ-N4 another's configuration in between survives, and ours are added once
          on; other on; before other begin 3; add 2; azure 5; shownNames 6
        AZ-N16 AZ-N20 F2 the machine takes 255 beside its primary address, and never one more
          on; add 300 gets 255; blocked ADDRESS_LIMIT; withRoom 0; writes 1
        AZ-N16 two interfaces share the 256 of their machine
          MACHINE: subnet second 10.2.0.0/22; interface worker-a-eth1 second; on; capacity 254;
          room 254; add 100; room 154; add 200 gets 154; blocked ADDRESS_LIMIT; writes 2
        AZ-N16 two interfaces share the 256 of their instance
          UNIFORM: subnet second 10.2.0.0/22; set two second eth0 eth1; instance two 0; on;
          capacity 254; room 254; add 100; room 154; add 200 gets 154; blocked ADDRESS_LIMIT;
          writes 2\
        """);
  }

  @Test
  @DisplayName("AZ-N12 new configurations are in the primary one's security groups, and in no pool")
  void securityGroups() {
    Document links =
        Document.of("applicationSecurityGroups", refs("/asg-1", "/asg-2"))
            .with("loadBalancerBackendAddressPools", refs("/lb"))
            .with("applicationGatewayBackendAddressPools", refs("/gw"))
            .with("loadBalancerInboundNatRules", refs("/nat"));
    world.azure.change(
        owner -> {
          owner.addMachine(Landscape.machine("vm-1"), "westeurope", Optional.empty());
          owner.addInterface(
              Landscape.nic("vm-1-eth0"),
              Landscape.machine("vm-1"),
              List.of(configuration("primary", "nodes", links)),
              Document.EMPTY);
        });
    OneNode node = OneNode.on(world, azure, Landscape.machine("vm-1"));
    node.added(2);
    List<Document> all = configurations(Landscape.nic("vm-1-eth0"));
    assertThat(all).hasSize(3);
    for (Document each : all.subList(1, 3)) {
      Document properties = each.object("properties");
      assertThat(properties.objects("applicationSecurityGroups"))
          .isEqualTo(refs("/asg-1", "/asg-2"));
      assertThat(properties.objects("loadBalancerBackendAddressPools")).isEmpty();
      assertThat(properties.objects("applicationGatewayBackendAddressPools")).isEmpty();
      assertThat(properties.objects("loadBalancerInboundNatRules")).isEmpty();
    }
    assertThat(all.get(0).object("properties").objects("loadBalancerBackendAddressPools"))
        .isEqualTo(refs("/lb"));
  }

  private static List<Document> refs(String... ids) {
    return Stream.of(ids).map(Document::reference).toList();
  }

  @Test
  @DisplayName("AZ-N13 of an interface everything that we do not know is written as it was read")
  void unknownProperties() {
    String unknown =
        "\"properties\":{\"future\":{\"a\":[1,2.50,null,\"\\u00e9\"]},\"big\":12345678901234567890,";
    world.way.rewriting(
        body ->
            body.contains("\"type\":\"Microsoft.Network/networkInterfaces\"")
                    || body.contains("worker-a-eth0\"")
                ? body.replaceFirst("\"properties\":\\{", Matcher.quoteReplacement(unknown))
                    .replace("\"etag\"", "\"extra\":true,\"etag\"")
                : body);
    OneNode node = OneNode.on(world, azure, Form.MACHINE.machine);
    node.added(1);
    assertThat(lastWrite())
        .contains("\"future\":{\"a\":[1,2.50,null,\"é\"]}")
        .contains("\"big\":12345678901234567890")
        .contains("\"extra\":true");
  }

  @Test
  @DisplayName("AZ-N30 the body for an instance has exactly three sections")
  void threeSections() {
    OneNode node = OneNode.on(world, azure, Form.UNIFORM.machine);
    node.added(1);
    Document body = json(lastWrite());
    assertThat(keys(body)).containsExactlyInAnyOrder("location", "properties");
    assertThat(keys(body.object("properties")))
        .containsExactlyInAnyOrder("hardwareProfile", "networkProfileConfiguration");
    Document made =
        body.object("properties")
            .object("networkProfileConfiguration")
            .objects("networkInterfaceConfigurations")
            .get(0)
            .object("properties")
            .objects("ipConfigurations")
            .get(1);
    assertThat(keys(made)).containsExactlyInAnyOrder("name", "properties");
    assertThat(keys(made.object("properties")))
        .containsExactlyInAnyOrder("subnet", "privateIPAddressVersion", "primary");
  }

  private static Set<String> keys(Document document) {
    Set<String> keys = new HashSet<>();
    document.forEach((key, value) -> keys.add(key));
    return keys;
  }

  @Test
  @DisplayName("AZ-N14 AZ-N20 F13 a disk that is attached between read and write survives")
  void diskInBetween() {
    String machine = Form.UNIFORM.machine;
    OneNode node = OneNode.on(world, azure, machine);
    world.way.beforeNextWrite(
        () ->
            land.put(
                machine,
                Document.of("location", "westeurope")
                    .withProperty(
                        "storageProfile",
                        Document.of(
                            "dataDisks", List.of(Document.of("lun", 0).with("name", "csi-1"))))));
    assertThat(node.added(2).size()).isEqualTo(2);
    assertThat(land.get(machine).object("properties").object("storageProfile").objects("dataDisks"))
        .extracting(each -> each.text("name").orElse(""))
        .containsExactly("csi-1");
    assertThat(world.writes()).as("another's, ours with the old etag, ours").isEqualTo(3);
  }

  @EachForm
  @DisplayName("AZ-N15 names are unique, ours, and say which is a block")
  void uniqueNames(Form form) {
    OneNode node = OneNode.withBlocks(world, azure, form.machine);
    node.added(100);
    node.added(100);
    List<String> names =
        world.seen(form.target).configurations().stream().map(IpConfiguration::name).toList();
    assertThat(names).doesNotHaveDuplicates();
    assertThat(names.subList(1, names.size()))
        .allMatch(each -> each.matches("Tidemark-(b-)?[a-z0-9]{8}"))
        .allMatch(each -> each.startsWith("Tidemark-b-") == (form == Form.MACHINE));
  }

  @Test
  @DisplayName("AZ-N16 the next interface is filled when the subnet of the first is full")
  void nextInterface() {
    land.addSubnet("tiny", 9, false, "10.3.0.0/28");
    String machine = land.addMachine("vm-1", "tiny");
    land.addInterface("vm-1-eth1", machine, configuration("primary", "nodes"));
    OneNode node = OneNode.on(world, azure, machine);
    assertThat(node.node.prepareIpAllocation().onInterface().orElseThrow().text()).endsWith("eth0");
    assertThat(node.added(5).size()).as("one is free there").isEqualTo(1);
    assertThat(node.added(5).size()).isEqualTo(5);
    assertThat(node.shown()).extracting(each -> each.addresses().size()).containsExactly(1, 5);
  }

  @Test
  @DisplayName(
      "AZ-N30 load balancers, public addresses and identities stay as they are for 50 writes")
  void randomWrites() {
    long seed = 20;
    Random random = new Random(seed);
    Document links =
        Document.of("loadBalancerBackendAddressPools", refs("/lb"))
            .with("loadBalancerInboundNatRules", refs("/nat"));
    Document model =
        Document.of("name", "eth0")
            .with(
                "properties",
                Document.of("primary", true)
                    .with("enableIPForwarding", true)
                    .with("networkSecurityGroup", Document.reference("/nsg"))
                    .with(
                        "ipConfigurations",
                        List.of(
                            configuration("primary", "nodes", links),
                            configuration("foreign", "nodes", links))));
    world.azure.change(
        owner -> owner.addScaleSet(Landscape.set("lb"), "westeurope", true, List.of(model)));
    String machine = land.addInstance("lb", 0);
    land.put(
        machine,
        Document.of("location", "westeurope")
            .with("identity", Document.of("type", "UserAssigned"))
            .with("tags", Document.of("owner", "me")));
    Document before = owned(machine);
    OneNode node = OneNode.on(world, azure, machine);
    List<String> failures = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      AddressSet all = releasable(node);
      if (all.size() < 10 || random.nextBoolean()) {
        if (!(node.allocate(1 + random.nextInt(9)) instanceof AllocationOutcome.Allocated)) {
          failures.add("allocation " + i);
        }
      } else {
        node.release(OneNode.singles(all.last(1 + random.nextInt(8))));
      }
      world.pass(Duration.ofSeconds(20));
      assertThat(owned(machine)).as("seed %s, write %s", seed, i).isEqualTo(before);
    }
    assertThat(failures).isEmpty();
    assertThat(world.writes()).isGreaterThanOrEqualTo(50);
  }

  private static AddressSet releasable(OneNode node) {
    return node.node.prepareIpRelease(1_000, AddressSet.of()).addresses();
  }

  /** The instance without our configurations, and without what changes with each write. */
  private Document owned(String machine) {
    String text =
        DocumentJson.print(land.get(machine).without("etag"))
            .replaceAll(
                ",?\\{\"name\":\"Tidemark-[^\"]*\",\"properties\":\\{[^{}]*\\{[^{}]*\\}[^{}]*\\}\\}",
                "");
    return json(text);
  }
}
