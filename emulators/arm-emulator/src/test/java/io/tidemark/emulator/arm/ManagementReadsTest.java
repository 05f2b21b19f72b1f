package io.tidemark.emulator.arm;

import static io.tidemark.emulator.arm.Cloud.COMPUTE_API;
import static io.tidemark.emulator.arm.Cloud.GROUP;
import static io.tidemark.emulator.arm.Cloud.INSTANCE_0;
import static io.tidemark.emulator.arm.Cloud.LIST_API;
import static io.tidemark.emulator.arm.Cloud.NET;
import static io.tidemark.emulator.arm.Cloud.NETWORK_API;
import static io.tidemark.emulator.arm.Cloud.NIC;
import static io.tidemark.emulator.arm.Cloud.SET;
import static io.tidemark.emulator.arm.Cloud.SUBNET;
import static io.tidemark.emulator.arm.Cloud.VM;
import static io.tidemark.emulator.arm.Cloud.answered;
import static io.tidemark.emulator.arm.Cloud.plus;
import static io.tidemark.emulator.arm.Cloud.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.gate.Access;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.ip.Cidr;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Reads that any user of the management clients sends")
class ManagementReadsTest {
  private static final String ALL_NETWORK = "/subscriptions/s1/providers/Microsoft.Network/";
  private static final String ALL_COMPUTE = "/subscriptions/s1/providers/Microsoft.Compute/";
  private static final String NETWORK = GROUP + "/providers/Microsoft.Network/";
  private static final String COMPUTE = GROUP + "/providers/Microsoft.Compute/";
  private static final String PREFIX = NETWORK + "publicIPPrefixes/egress";

  private final Cloud cloud = new Cloud(ModelOptions.builder(1).pageSize(1).build());

  ManagementReadsTest() {
    cloud
        .owner()
        .addPublicPrefix(PREFIX, "westeurope", Cidr.parse("203.0.113.0/30"), Document.EMPTY, 0);
  }

  /** Names of a list, over all its pages. */
  private List<String> names(String path, String version) {
    List<String> names = new ArrayList<>();
    Document page = answered(cloud.get(path, version), 200);
    while (true) {
      page.objects("value").forEach(each -> names.add(each.text("name").orElse("")));
      Optional<String> next = page.text("nextLink");
      if (next.isEmpty()) {
        return names;
      }
      page = answered(cloud.send("GET", next.get()), 200);
    }
  }

  private void inSecondGroup() {
    cloud.owner().addNetwork(NET.replace("g1", "g2"), "westeurope");
    cloud.owner().addMachine(VM.replace("g1", "g2"), "westeurope", Optional.empty());
    cloud
        .owner()
        .addInterface(
            NIC.replace("g1", "g2"),
            VM.replace("g1", "g2"),
            List.of(Cloud.configuration("primary", SUBNET, true)),
            Document.EMPTY);
    cloud.owner().addScaleSet(SET.replace("g1", "g2"), "westeurope", false, List.of());
    cloud
        .owner()
        .addPublicPrefix(
            PREFIX.replace("g1", "g2"),
            "westeurope",
            Cidr.parse("203.0.113.4/30"),
            Document.EMPTY,
            0);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "virtualNetworks,net",
    "networkInterfaces,vm-eth0",
    "publicIPPrefixes,egress",
    "virtualMachines,vm",
    "virtualMachineScaleSets,set"
  })
  @DisplayName("a list has what a group has, or what all groups of the subscription have")
  void lists(String type, String name) {
    inSecondGroup();
    boolean compute = type.startsWith("virtualMachine");
    assertThat(names((compute ? COMPUTE : NETWORK) + type, NETWORK_API)).containsExactly(name);
    assertThat(names((compute ? ALL_COMPUTE : ALL_NETWORK) + type, NETWORK_API))
        .containsExactly(name, name);
    assertThat(
            names(
                (compute ? ALL_COMPUTE : ALL_NETWORK).replace("/s1/", "/s2/") + type, NETWORK_API))
        .isEmpty();
  }

  @Test
  @DisplayName("a network has its subnets, and subnets are listed")
  void networks() {
    cloud.owner().addSubnet(NET + "/subnets/pods", List.of(Cidr.parse("10.1.0.0/24")), false, 0);
    Document network = answered(cloud.get(NET, NETWORK_API), 200);
    assertThat(network.object("properties").objects("subnets"))
        .extracting(each -> each.text("name").orElse(""))
        .containsExactly("nodes", "pods");
    assertThat(network.object("properties").object("addressSpace").get("addressPrefixes"))
        .isEqualTo(List.of("10.0.0.0/24", "10.1.0.0/24"));
    assertThat(names(NET + "/subnets", NETWORK_API)).containsExactly("nodes", "pods");
    assertThat(refusal(cloud.get(NET + "2", NETWORK_API))).isEqualTo("404 ResourceNotFound");
    assertThat(refusal(cloud.get(NET + "2/subnets", NETWORK_API)))
        .isEqualTo("404 ResourceNotFound");
  }

  @Test
  @DisplayName("configurations of an interface are read one by one")
  void configurations() {
    cloud.putNic(plus(2));
    assertThat(names(NIC + "/ipConfigurations", NETWORK_API))
        .containsExactly("primary", "pod-1", "pod-2");
    assertThat(answered(cloud.get(NIC + "/ipConfigurations/pod-1", NETWORK_API), 200))
        .isEqualTo(Cloud.configurations(cloud.nic()).get(1));
    assertThat(refusal(cloud.get(NIC + "/ipConfigurations/none", NETWORK_API)))
        .isEqualTo("404 NotFound");
  }

  @Test
  @DisplayName("a scale set tells its capacity and the states of its instances")
  void sets() {
    Document set = answered(cloud.get(SET, COMPUTE_API), 200);
    assertThat(set.object("sku").number("capacity")).contains(2);
    assertThat(
            set.object("properties")
                .object("virtualMachineProfile")
                .object("networkProfile")
                .objects("networkInterfaceConfigurations"))
        .hasSize(1);
    Document view = answered(cloud.get(SET + "/instanceView", COMPUTE_API), 200);
    assertThat(view.object("virtualMachine").objects("statusesSummary"))
        .extracting(Document::toString)
        .containsExactly(
            "{code=PowerState/running, count=2}", "{code=ProvisioningState/succeeded, count=2}");
    assertThat(refusal(cloud.get(SET + "2/instanceView", COMPUTE_API)))
        .isEqualTo("404 ResourceNotFound");
  }

  @Test
  @DisplayName("instances of a Uniform set are listed, with their interface and their view")
  void instances() {
    assertThat(names(SET + "/virtualMachines", COMPUTE_API)).containsExactly("set_0", "set_1");
    assertThat(names(SET + "/virtualMachines?$expand=instanceView", COMPUTE_API)).hasSize(2);
    Document view = answered(cloud.get(INSTANCE_0 + "/instanceView", COMPUTE_API), 200);
    assertThat(view.objects("statuses"))
        .extracting(each -> each.text("code").orElse(""))
        .containsExactly("ProvisioningState/succeeded", "PowerState/running");
    Document nic = answered(cloud.get(INSTANCE_0 + "/networkInterfaces/eth0", LIST_API), 200);
    assertThat(nic).isEqualTo(cloud.listed());
    cloud.owner().addScaleSet(SET + "-flexible", "westeurope", false, List.of());
    assertThat(refusal(cloud.get(SET + "-flexible/virtualMachines", COMPUTE_API)))
        .isEqualTo("400 OperationNotAllowed");
  }

  @Test
  @DisplayName("machines of a Flexible set are found by the documented filter, on every page")
  void filter() {
    cloud.owner().addScaleSet(SET + "-flexible", "westeurope", false, List.of());
    for (int i = 0; i < 3; i++) {
      cloud.owner().addMachine(VM + "-" + i, "westeurope", Optional.of(SET + "-flexible"));
    }
    String filter =
        URLEncoder.encode(
            "'virtualMachineScaleSet/id' eq '" + SET + "-flexible'", StandardCharsets.UTF_8);
    assertThat(names(COMPUTE + "virtualMachines?$filter=" + filter, COMPUTE_API))
        .containsExactly("vm-0", "vm-1", "vm-2");
    assertThat(refusal(cloud.get(COMPUTE + "virtualMachines?$filter=name+eq+'x'", COMPUTE_API)))
        .isEqualTo("400 InvalidParameter");
    Document view = answered(cloud.get(VM + "/instanceView", COMPUTE_API), 200);
    assertThat(view.objects("statuses")).hasSize(2);
  }

  @Test
  @DisplayName("public addresses are listed by group and subscription; instances have their own")
  void publicAddresses() {
    String address = NETWORK + "publicIPAddresses/one";
    cloud.put(address, NETWORK_API, Optional.empty(), Cloud.publicAddress(PREFIX));
    cloud.putInstance(
        all ->
            List.of(
                all.get(0)
                    .withProperty(
                        "publicIPAddressConfiguration",
                        Document.of("name", "node-ip")
                            .withProperty("publicIPPrefix", Document.reference(PREFIX)))));
    assertThat(names(NETWORK + "publicIPAddresses", NETWORK_API)).containsExactly("one");
    assertThat(names(ALL_NETWORK + "publicIPAddresses", NETWORK_API)).containsExactly("one");
    assertThat(names(SET + "/publicIPAddresses", LIST_API)).containsExactly("node-ip");
    String ofInstance =
        INSTANCE_0 + "/networkInterfaces/eth0/ipConfigurations/primary/publicIPAddresses/node-ip";
    assertThat(answered(cloud.get(ofInstance, LIST_API), 200).text("name")).contains("node-ip");
    assertThat(
            answered(cloud.get(PREFIX, NETWORK_API), 200)
                .object("properties")
                .objects("publicIPAddresses"))
        .hasSize(2);
    assertThat(
            answered(cloud.get(PREFIX + "?$expand=publicIPAddresses", NETWORK_API), 200)
                .object("properties")
                .objects("publicIPAddresses"))
        .extracting(each -> each.text("name").orElse(""))
        .containsExactlyInAnyOrder("one", "node-ip");
  }

  @Test
  @DisplayName("$expand shows the resources that are referred to")
  void expand() {
    Document nic = answered(cloud.get(NIC + "?$expand=ipConfigurations/subnet", NETWORK_API), 200);
    assertThat(
            Cloud.configurations(nic)
                .get(0)
                .object("properties")
                .object("subnet")
                .object("properties")
                .text("addressPrefix"))
        .contains("10.0.0.0/24");
    Document subnet = answered(cloud.get(SUBNET + "?$expand=ipConfigurations", NETWORK_API), 200);
    assertThat(subnet.object("properties").objects("ipConfigurations"))
        .hasSize(3)
        .allMatch(each -> each.object("properties").text("privateIPAddress").isPresent());
    Document network =
        answered(cloud.get(NET + "?$expand=subnets/ipConfigurations", NETWORK_API), 200);
    assertThat(
            network
                .object("properties")
                .objects("subnets")
                .get(0)
                .object("properties")
                .objects("ipConfigurations"))
        .allMatch(each -> each.object("properties").text("privateIPAddress").isPresent());
    assertThat(
            answered(cloud.get(VM + "?$expand=InstanceView", COMPUTE_API), 200)
                .object("properties")
                .has("instanceView"))
        .isTrue();
  }

  @ParameterizedTest(name = "{0}?{1}")
  @CsvSource({
    "networkInterfaces/vm-eth0,$expand=virtualMachine",
    "networkInterfaces/vm-eth0,$select=name",
    "networkInterfaces,$filter=name",
    "networkInterfaces,$top=1",
    "virtualNetworks/net,$expand=everything",
    "virtualMachines/vm,$expand=disks",
    "virtualMachines,$expand=userData",
    "virtualMachineScaleSets/set/virtualMachines,$filter=x",
    "virtualMachineScaleSets,$expand=instanceView"
  })
  @DisplayName("an option that is not honoured is refused, for its answer would be another one")
  void refusedOptions(String path, String option) {
    String base = path.startsWith("virtualMachine") ? COMPUTE : NETWORK;
    assertThat(refusal(cloud.get(base + path + "?" + option, COMPUTE_API)))
        .isEqualTo("400 InvalidParameter");
  }

  @Test
  @DisplayName("the user data of an instance is shown to who asks for it")
  void userData() {
    Document body = Document.of("location", "westeurope").withProperty("userData", "c2VjcmV0");
    cloud.put(INSTANCE_0, COMPUTE_API, Optional.empty(), body);
    assertThat(cloud.instance().object("properties").has("userData")).isFalse();
    assertThat(
            answered(cloud.get(INSTANCE_0 + "?$expand=userData", COMPUTE_API), 200)
                .object("properties")
                .text("userData"))
        .contains("c2VjcmV0");
  }

  @Test
  @DisplayName("each read needs the action of its resource")
  void actions() {
    String views = "Microsoft.Compute/virtualMachines/instanceView/read";
    cloud.roles(
        new Access.Role("p1", GROUP, List.of("*/read"), List.of(views)),
        new Access.Role("p2", "/subscriptions/s1", List.of("*/read"), List.of()));
    assertThat(cloud.get(VM, COMPUTE_API).status()).isEqualTo(200);
    assertThat(refusal(cloud.get(VM + "/instanceView", COMPUTE_API)))
        .isEqualTo("403 AuthorizationFailed");
    assertThat(refusal(cloud.get(ALL_COMPUTE + "virtualMachines", COMPUTE_API)))
        .isEqualTo("403 AuthorizationFailed");
    assertThat(cloud.as("p2").get(ALL_COMPUTE + "virtualMachines", COMPUTE_API).status())
        .isEqualTo(200);
  }
}
