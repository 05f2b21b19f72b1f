package io.tidemark.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.Ipv4Address;
import io.tidemark.resource.AzureStatus.Address;
import io.tidemark.resource.AzureStatus.Interface;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Azure's section of a CiliumNode's status (provider-azure 4.7, Z42)")
class AzureStatusTest {
  private static final String VM =
      "/subscriptions/s/resourceGroups/r/providers/Microsoft.Compute"
          + "/virtualMachineScaleSets/set/virtualMachines/3";
  private static final String NIC = VM + "/networkInterfaces/eth0";
  private static final String SUBNET =
      "/subscriptions/s/resourceGroups/r/providers/Microsoft.Network"
          + "/virtualNetworks/net/subnets/nodes";

  private static Interface nic(String id, int addresses) {
    List<Address> all = new ArrayList<>();
    for (int i = 0; i < addresses; i++) {
      all.add(new Address(new Ipv4Address(0x0a000005 + i), SUBNET, AzureStatus.SUCCEEDED));
    }
    return new Interface(
        id,
        "eth0",
        "00:0D:3A:1B:C7:21",
        AzureStatus.SUCCEEDED,
        Optional.of(IpAddress.parse("10.0.0.4")),
        all,
        "",
        Optional.of(IpAddress.parse("10.0.0.1")),
        Optional.of(Cidr.parse("10.0.0.0/16")),
        SUBNET);
  }

  private static AzureStatus status(Interface... all) {
    TreeMap<String, Interface> interfaces = new TreeMap<>();
    for (Interface each : all) {
      interfaces.put(each.id(), each);
    }
    return new AzureStatus(interfaces);
  }

  private static NodeResource withStatus(String azure) {
    return TestResources.node("{}", "{'azure':" + azure + "}");
  }

  private static Interface only(NodeResource node) {
    return node.azureStatus().orElseThrow().interfaces().values().iterator().next();
  }

  @Test
  @DisplayName("Z42 an interface is written with all fields, keys ascending")
  void written() {
    String text =
        NodeResourceJson.print(TestResources.node("{}", "{}").withAzureStatus(status(nic(NIC, 1))));
    assertThat(text)
        .contains(
            ("'status':{'azure':{'interfaces':[{'GatewayIP':'10.0.0.1','addresses':[{'ip':"
                    + "'10.0.0.5','state':'succeeded','subnet':'"
                    + SUBNET
                    + "'}],'cidr':'10.0.0.0/16','gateway':'10.0.0.1','id':'"
                    + NIC
                    + "','ip':'10.0.0.4','mac':'00:0D:3A:1B:C7:21','name':'eth0',"
                    + "'security-group':'','state':'succeeded',"
                    + "'subnet':{'cidr':'10.0.0.0/16','id':'"
                    + SUBNET
                    + "'}}]}}")
                .replace('\'', '"'));
  }

  @Test
  @DisplayName("Z42 security-group, GatewayIP and gateway are written when they are empty too")
  void emptyFields() {
    Interface unknown =
        new Interface(
            NIC,
            "eth0",
            "",
            "",
            Optional.empty(),
            List.of(),
            "",
            Optional.empty(),
            Optional.empty(),
            "");
    String text =
        NodeResourceJson.print(TestResources.node("{}", "{}").withAzureStatus(status(unknown)));
    assertThat(text)
        .contains(
            ("[{'GatewayIP':'','gateway':'','id':'" + NIC + "','name':'eth0','security-group':''}]")
                .replace('\'', '"'));
  }

  @Test
  @DisplayName("what was written is read again, and writing it again changes nothing")
  void readAgain() {
    AzureStatus azure = status(nic(NIC, 3), nic(VM + "/networkInterfaces/eth1", 0));
    NodeResource node = TestResources.node("{}", "{}").withAzureStatus(azure);
    NodeResource read = TestResources.parse(NodeResourceJson.print(node));
    assertThat(read.azureStatus()).contains(azure);
    assertThat(read.withAzureStatus(azure)).isSameAs(read);
    assertThat(read.sameStatus(node)).isTrue();
    assertThat(read.operatorHash()).isEqualTo(node.operatorHash());
  }

  @Test
  @DisplayName("fields of newer releases survive, by interface and by address, in any case of ids")
  void unknownFields() {
    NodeResource node =
        withStatus(
            "{'later':1,'interfaces':[{'id':'"
                + NIC.toUpperCase(Locale.ROOT)
                + "','later':2,'addresses':[{'ip':'10.0.0.5','later':3}]},{'id':'gone','later':4}]}");
    String text = NodeResourceJson.print(node.withAzureStatus(status(nic(NIC, 2))));
    assertThat(text).contains("\"later\":1", "\"later\":2", "\"ip\":\"10.0.0.5\",\"later\":3");
    assertThat(text).doesNotContain("\"later\":4");
  }

  @Test
  @DisplayName("texts that are no address, as operators in use have written them, read as absent")
  void noAddresses() {
    NodeResource node =
        withStatus(
            "{'interfaces':[{'id':'n','gateway':'invalid IP','cidr':'x','ip':'',"
                + "'addresses':[{'ip':'172.20.2.16/28','state':'succeeded'},"
                + "{'ip':'10.0.0.5','state':'Succeeded'},{'ip':'10.0.0.6','state':'updating'},{}]}]}");
    Interface read = only(node);
    assertThat(read.gateway()).isEmpty();
    assertThat(read.cidr()).isEmpty();
    assertThat(read.addresses())
        .extracting(each -> each.ip().toString())
        .containsExactly("10.0.0.5", "10.0.0.6");
    assertThat(node.azureStatus().orElseThrow().addressesByInterface())
        .isEqualTo(Map.of("n", AddressSet.of(IpAddress.parse("10.0.0.5"))));
  }

  @Test
  @DisplayName("the older field GatewayIP is read where gateway is missing")
  void olderGateway() {
    NodeResource node = withStatus("{'interfaces':[{'id':'n','GatewayIP':'10.0.0.1'}]}");
    assertThat(only(node).gateway()).contains(IpAddress.parse("10.0.0.1"));
  }

  @Test
  @DisplayName("AZ-N37 a node with 1,024 used addresses and long ids stays below 1.3 MB")
  void size() {
    String group = "/subscriptions/" + "5".repeat(36) + "/resourceGroups/" + "g".repeat(80);
    String set = "s".repeat(31);
    String nic =
        group
            + "/providers/Microsoft.Compute/virtualMachineScaleSets/"
            + set
            + "/virtualMachines/999/networkInterfaces/"
            + set;
    String subnet =
        group + "/providers/Microsoft.Network/virtualNetworks/aks-vnet-12345678/subnets/aks-subnet";
    List<Address> addresses = new ArrayList<>();
    TreeMap<IpAddress, UsedAddress> used = new TreeMap<>();
    for (int i = 0; i < 1024; i++) {
      Ipv4Address address = new Ipv4Address(0x0a64c800 + i);
      addresses.add(new Address(address, subnet, AzureStatus.SUCCEEDED));
      used.put(address, new UsedAddress("n".repeat(60), nic));
    }
    Interface few = nic(nic, 0);
    AzureStatus azure =
        status(
            new Interface(
                nic,
                set,
                few.mac(),
                few.state(),
                few.ip(),
                addresses,
                "",
                few.gateway(),
                few.cidr(),
                subnet));
    NodeResource node =
        TestResources.node("{}", "{}")
            .withAzureStatus(azure)
            .withUsed(used)
            .withPool(PodIpPool.of(azure.addressesByInterface()));
    assertThat(NodeResourceJson.print(node).length()).isBetween(1_000_000, 1_300_000);
  }
}
