package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.azure.network.AzureNetworkInterface;
import io.tidemark.provider.azure.network.AzureSubnet;
import io.tidemark.provider.azure.network.InterfaceTexts;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.resource.AzureStatus;
import io.tidemark.spi.PoolId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("What interfaces are read as (provider-azure 1.2, 4.7, 8.5)")
class InterfaceFormsTest {
  private static final String GROUP = "/subscriptions/s/resourceGroups/g/providers";
  private static final String SUBNET_ID =
      GROUP + "/Microsoft.Network/virtualNetworks/net/subnets/nodes";
  private static final AzureSubnet SUBNET =
      new AzureSubnet(
          ResourceId.of(SUBNET_ID), List.of(Cidr.parse("10.0.0.0/24")), OptionalInt.empty());

  private final NicReader reader = reader(false);
  private final NicReader releasing = reader(true);

  private static NicReader reader(boolean releaseForeign) {
    ConfigurationNames names = new ConfigurationNames("Tidemark-", new Random(1));
    return new NicReader(names, new Spellings(), releaseForeign);
  }

  private static String configuration(String name, String address, String more) {
    return """
    {"name": "%s", "properties": {"privateIPAddress": "%s", "subnet": {"id": "%s"},
     "provisioningState": "Succeeded"%s}}\
    """
        .formatted(name, address, SUBNET_ID, more);
  }

  private static String nic(String... configurations) {
    return """
    {"id": "%s/Microsoft.Network/networkInterfaces/n", "name": "n",
     "properties": {"macAddress": "00-0D-3A-1B-C7-21", "provisioningState": "Succeeded",
      "ipConfigurations": [%s]}}\
    """
        .formatted(GROUP, String.join(",", configurations));
  }

  private Nic read(String json) {
    return reader.read(InterfaceTexts.read(json), Optional.empty(), Optional.empty());
  }

  private static AzureStatus.Interface shown(Nic nic, boolean primaryUsable) {
    return nic.shown(primaryUsable, Optional.of(SUBNET), false);
  }

  private static List<String> addresses(AzureStatus.Interface shown) {
    return shown.addresses().stream().map(each -> each.ip().toString()).toList();
  }

  private static final String[] THREE = {
    configuration("p", "10.0.0.4", ", \"primary\": true"),
    configuration("a", "10.0.0.5", ", \"primary\": false"),
    configuration("b", "10.0.0.6", "")
  };

  @ParameterizedTest(name = "primary usable: {0}")
  @CsvSource({"false, '10.0.0.5,10.0.0.6'", "true, '10.0.0.4,10.0.0.5,10.0.0.6'"})
  @DisplayName("AZ-B25 (a) (b) the primary address is told apart, and serves pods if it may")
  void primary(boolean usable, String expected) {
    AzureStatus.Interface shown = shown(read(nic(THREE)), usable);
    assertThat(shown.ip()).contains(IpAddress.parse("10.0.0.4"));
    assertThat(addresses(shown)).containsExactly(expected.split(","));
    assertThat(shown.gateway()).contains(IpAddress.parse("10.0.0.1"));
    assertThat(shown.mac()).isEqualTo("00:0D:3A:1B:C7:21");
    assertThat(shown.state()).as("F14").isEqualTo("succeeded");
  }

  @Test
  @DisplayName("AZ-B25 (a) in the reference's form there is no state, address or subnet of its own")
  void parity() {
    Nic nic = read(nic(THREE));
    AzureStatus.Interface shown = nic.shown(false, Optional.of(SUBNET), true);
    assertThat(shown)
        .isEqualTo(
            new AzureStatus.Interface(
                nic.id().text(),
                nic.name(),
                nic.mac(),
                "",
                Optional.empty(),
                shown(nic, false).addresses(),
                "",
                Optional.of(IpAddress.parse("10.0.0.1")),
                Optional.of(Cidr.parse("10.0.0.0/24")),
                ""));
    assertThat(addresses(shown)).containsExactly("10.0.0.5", "10.0.0.6");
  }

  @Test
  @DisplayName("AZ-B25 (c) with a primary address alone subnet, block and gateway are known")
  void onlyPrimary() {
    AzureStatus.Interface shown = shown(read(nic(THREE[0])), false);
    assertThat(shown.addresses()).isEmpty();
    assertThat(shown.subnetId()).isEqualTo(SUBNET_ID);
    assertThat(shown.cidr()).contains(Cidr.parse("10.0.0.0/24"));
    assertThat(shown.gateway()).contains(IpAddress.parse("10.0.0.1"));
  }

  @Test
  @DisplayName("AZ-B25 (d) without configurations there is no subnet, so nothing is added there")
  void noConfigurations() {
    Nic nic = read(nic());
    assertThat(nic.pool()).isEqualTo(Nic.NO_POOL);
    assertThat(nic.isReady()).isFalse();
    AzureStatus.Interface shown = nic.shown(false, Optional.empty(), false);
    assertThat(shown.ip()).isEmpty();
    assertThat(shown.cidr()).isEmpty();
    assertThat(shown.gateway()).isEmpty();
    assertThat(shown.subnetId()).isEmpty();
  }

  @Test
  @DisplayName("AZ-B25 (e) (f) what is not flagged as primary is secondary, a flag of null too")
  void noPrimary() {
    Nic nic = read(nic(THREE[1], configuration("b", "10.0.0.6", ", \"primary\": null")));
    assertThat(nic.primary()).isEmpty();
    assertThat(addresses(shown(nic, true))).containsExactly("10.0.0.5", "10.0.0.6");
  }

  static Stream<String> holes() {
    return Stream.of(
        "null",
        "{}",
        "{\"name\": \"x\"}",
        "{\"name\": null, \"properties\": null}",
        "{\"name\": \"x\", \"properties\": {\"subnet\": null, \"provisioningState\": null}}",
        "{\"name\": \"x\", \"properties\": {\"subnet\": {\"id\": null}, \"privateIPAddress\": 7}}",
        "{\"name\": \"x\", \"properties\": {\"privateIPAddress\": \"fd00::1\"}}",
        "{\"name\": \"x\", \"properties\": {\"privateIPAddress\": \"10.0.0.9/24\","
            + " \"provisioningState\": \"Succeeded\"}}",
        "{\"name\": \"x\", \"properties\": {\"privateIPAddress\": \"10.0.0.9/28/28\","
            + " \"provisioningState\": \"Succeeded\"}}",
        "[1]");
  }

  @ParameterizedTest
  @MethodSource("holes")
  @DisplayName("AZ-N20 F7 a configuration with holes takes a place and nothing else")
  void holesInConfigurations(String hole) {
    Nic nic = read(nic(THREE[0], hole, THREE[1]));
    assertThat(nic.singles()).isEqualTo(AddressSet.of(IpAddress.parse("10.0.0.5")));
    assertThat(nic.prefixes()).isEmpty();
    assertThat(nic.configurations()).isBetween(2, 3);
    assertThat(nic.pool()).isEqualTo(new PoolId(SUBNET_ID));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"id": "%s"}
          {"id": "%s", "properties": null}
          {"id": "%s", "name": null, "properties": {"ipConfigurations": null, "macAddress": null}}
          {"id": "%s", "properties": {"ipConfigurations": {}, "virtualMachine": "x"}}
          """)
  @DisplayName("AZ-N20 F7 an interface with holes is kept, and nothing is added to it")
  void holesInInterfaces(String json) {
    Nic nic = read(json.formatted(GROUP + "/Microsoft.Network/networkInterfaces/n"));
    assertThat(nic.isReady()).isFalse();
    assertThat(nic.name()).isEqualTo("n");
    assertThat(nic.configurations()).isZero();
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          10.0.0.16/28 |
          10.0.0.16/28 | , "privateIPAddressPrefixLength": 28
          10.0.0.16    | , "privateIPAddressPrefixLength": 28
          10.0.0.21    | , "privateIPAddressPrefixLength": 28
          10.0.0.21/28 |
          """)
  @DisplayName("AZ-N34 AZ-N7 a block is read in each form, with host bits too, and shown by its 16")
  void blocks(String address, String more) {
    Nic nic = read(nic(THREE[0], configuration("x", address, more == null ? "" : more)));
    assertThat(nic.prefixes()).containsExactly(Cidr.parse("10.0.0.16/28"));
    assertThat(nic.singles().isEmpty()).isTrue();
    assertThat(nic.configurations()).isEqualTo(2);
    assertThat(addresses(shown(nic, false)))
        .hasSize(16)
        .contains("10.0.0.16", "10.0.0.31")
        .noneMatch(each -> each.contains("/"));
  }

  @Test
  @DisplayName(
      "AZ-N34 of a set's instance the name tells that it may be a block, and the model that it is")
  void blockByName() {
    var seen = ofInstance(nic(THREE[0], configuration("Tidemark-b-x", "10.0.0.16", "")));
    assertThat(reader.isAmbiguous(seen, Optional.empty())).isTrue();
    Nic block = reader.read(seen, Optional.empty(), Optional.of(Set.of("Tidemark-b-x")));
    assertThat(block.prefixes()).containsExactly(Cidr.parse("10.0.0.16/28"));
    assertThat(reader.isAmbiguous(seen, Optional.of(block))).as("known by now").isFalse();
    assertThat(reader.read(seen, Optional.of(block), Optional.empty())).isEqualTo(block);
    Nic single = reader.read(seen, Optional.empty(), Optional.of(Set.of()));
    assertThat(single.singles()).isEqualTo(AddressSet.of(IpAddress.parse("10.0.0.16")));
    assertThat(reader.isAmbiguous(seen, Optional.of(single))).as("known by now").isFalse();
    assertThat(reader.read(seen, Optional.of(single), Optional.empty())).isEqualTo(single);
    Nic unknown = reader.read(seen, Optional.empty(), Optional.empty());
    assertThat(unknown.configurations()).isEqualTo(2);
    assertThat(unknown.singles().isEmpty()).as("not offered while nobody knows").isTrue();
    assertThat(unknown.prefixes()).isEmpty();
  }

  private static AzureNetworkInterface ofInstance(String json) {
    return InterfaceTexts.read(
        json.replace(
            "/Microsoft.Network/networkInterfaces/n",
            "/Microsoft.Compute/virtualMachineScaleSets/v/virtualMachines/0/networkInterfaces/n"));
  }

  @Test
  @DisplayName("AZ-N34 no model is asked where the name, or the kind of machine, tells what it is")
  void singleWithoutModel() {
    AzureNetworkInterface named =
        ofInstance(nic(THREE[0], configuration("Tidemark-x", "10.0.0.16", "")));
    AzureNetworkInterface ofMachine =
        InterfaceTexts.read(nic(THREE[0], configuration("Tidemark-b-x", "10.0.0.16", "")));
    for (AzureNetworkInterface seen : List.of(named, ofMachine)) {
      assertThat(reader.isAmbiguous(seen, Optional.empty())).isFalse();
      assertThat(reader.read(seen, Optional.empty(), Optional.empty()).singles())
          .isEqualTo(AddressSet.of(IpAddress.parse("10.0.0.16")));
    }
  }

  @ParameterizedTest
  @CsvSource({"Updating", "Failed"})
  @DisplayName("AZ-N49 a block that pods use stays while its interface is written, a new one waits")
  void blockWhileWritten(String state) {
    String[] settled = {THREE[0], configuration("Tidemark-b-x", "10.0.0.16/28", "")};
    Nic known = read(nic(settled));
    String more = configuration("Tidemark-b-y", "10.0.0.32/28", "");
    Nic now =
        reader.read(
            InterfaceTexts.read(nic(settled[0], settled[1], more).replace("Succeeded", state)),
            Optional.of(known),
            Optional.empty());
    assertThat(now.prefixes()).containsExactly(Cidr.parse("10.0.0.16/28"));
    assertThat(now.configurations()).isEqualTo(3);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          public address  | , "publicIPAddress": {"id": "x"}
          of a set        | , "publicIPAddressConfiguration": {"name": "x"}
          load balancer   | , "loadBalancerBackendAddressPools": [{"id": "x"}]
          NAT rule        | , "loadBalancerInboundNatRules": [{"id": "x"}]
          gateway         | , "applicationGatewayBackendAddressPools": [{"id": "x"}]
          gateway balancer| , "gatewayLoadBalancer": {"id": "x"}
          """)
  @DisplayName("AZ-N33 what a public address, load balancer, rule or gateway uses is pinned")
  void pinned(String what, String more) {
    String json = nic(THREE[0], configuration("Tidemark-x", "10.0.0.5", more));
    Nic nic = read(json);
    assertThat(nic.pinned()).as(what).isEqualTo(AddressSet.of(IpAddress.parse("10.0.0.5")));
    assertThat(nic.singles()).isEqualTo(nic.pinned());
    assertThat(
            releasing.read(InterfaceTexts.read(json), Optional.empty(), Optional.empty()).pinned())
        .as("azure-release-foreign lifts the rule of names only")
        .isEqualTo(nic.pinned());
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({"Failed, 1", "Updating, 0"})
  @DisplayName("AZ-N49 only a write to a failed interface of a virtual machine completes the rest")
  void incomplete(String state, int expected) {
    String json =
        nic(THREE[0], configuration("Tidemark-x", "10.0.0.5", "")).replace("Succeeded", state);
    assertThat(read(json).incomplete()).isEqualTo(expected);
    assertThat(reader.read(ofInstance(json), Optional.empty(), Optional.empty()).incomplete())
        .isZero();
  }

  @Test
  @DisplayName("AZ-N33 of a block that others use all addresses are pinned")
  void pinnedBlock() {
    Nic nic = read(nic(THREE[0], configuration("x", "10.0.0.16/28", "")));
    assertThat(nic.pinned()).isEqualTo(AddressSet.ofRange(Cidr.parse("10.0.0.16/28")));
  }

  @ParameterizedTest(name = "{0}: pinned {1}")
  @CsvSource({
    "Tidemark-x, false",
    "TIDEMARK-x, false",
    "Cilium-x, false",
    "x, true",
    "ipconfig2, true"
  })
  @DisplayName("AZ-N33 what others have named is pinned, until azure-release-foreign")
  void foreign(String name, boolean pinned) {
    String json = nic(THREE[0], configuration(name, "10.0.0.5", ""));
    assertThat(read(json).pinned().isEmpty()).isEqualTo(!pinned);
    assertThat(
            releasing
                .read(InterfaceTexts.read(json), Optional.empty(), Optional.empty())
                .pinned()
                .isEmpty())
        .isTrue();
  }
}
