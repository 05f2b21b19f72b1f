package io.tidemark.provider.azure.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import io.tidemark.emulator.arm.ArmEmulator;
import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.scenario.ArmScenarioYaml;
import io.tidemark.emulator.kit.pace.DelayRange;
import io.tidemark.ip.Cidr;
import io.tidemark.resilience.Failure;
import io.tidemark.time.VirtualTime;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Public prefixes and addresses through the door (C13, C14)")
class PublicAddressesTest {
  private static final String NODES =
      "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/nodes/providers";
  private static final ResourceId INSTANCE =
      ResourceId.of(NODES + "/Microsoft.Compute/virtualMachineScaleSets/pool-a/virtualMachines/0");
  private static final ResourceId INSTANCE_NIC =
      ResourceId.of(INSTANCE + "/networkInterfaces/eth0");
  private static final ResourceId NIC =
      ResourceId.of(NODES + "/Microsoft.Network/networkInterfaces/worker-a-eth0");
  private static final ResourceId ADDRESS =
      ResourceId.of(NODES + "/Microsoft.Network/publicIPAddresses/Tidemark-worker-a-eth0");
  private static final Duration LASTS = Duration.ofSeconds(20);

  private final VirtualTime time = new VirtualTime(1_700_000_000_000L);
  private final ArmEmulator azure =
      ArmEmulator.in(
          time,
          ArmScenarioYaml.example()
              .withOptions(
                  ModelOptions.builder(1).operation(DelayRange.fixed(LASTS)).pageSize(1).build()));
  private final EmulatorTransport transport = new EmulatorTransport(azure.handler());
  private final ArmApi api =
      ArmDoors.api(
          transport, URI.create("https://management.azure.com/"), () -> "static-door", time);

  private void prefix(String name, String range, Document labels, int used) {
    azure.change(
        owner ->
            owner.addPublicPrefix(
                NODES + "/Microsoft.Network/publicIPPrefixes/" + name,
                "westeurope",
                Cidr.parse(range),
                labels,
                used));
  }

  private AzurePage<PublicPrefix> prefixes(Optional<URI> next) throws ArmFailure {
    return api.page(ArmList.publicPrefixes(NIC), next);
  }

  private PublicPrefix egress() throws ArmFailure {
    return prefixes(Optional.empty()).items().get(0);
  }

  private void wait(Duration lasts) {
    time.runUntil(time.nanos() + lasts.toNanos());
  }

  private static ConfigurationChange change(String networkInterface, PublicAddressChange change) {
    return new ConfigurationChange(networkInterface, List.of(), Set.of(), Optional.of(change));
  }

  private String lastBody() {
    return transport.sent().stream()
        .filter(each -> each.getHttpMethod() == HttpMethod.PUT)
        .reduce((first, second) -> second)
        .map(HttpRequest::getBodyAsBinaryData)
        .orElseThrow()
        .toString();
  }

  private String primary(ResourceId networkInterface) throws ArmFailure {
    AzureNetworkInterface seen =
        networkInterface.equals(NIC)
            ? api.read(ArmRead.networkInterface(NIC))
            : api.page(ArmList.interfacesOfInstance(INSTANCE), Optional.empty()).items().get(0);
    return seen.configurations().get(0).publicAddress();
  }

  @Test
  @DisplayName("prefixes come page by page, with what an address of them must say")
  void list() throws ArmFailure {
    Document labels =
        Document.of("tags", Document.of("use", "other")).with("zones", List.of("1", "2"));
    prefix("zonal", "198.51.100.0/31", labels, 1);
    azure.change(
        owner ->
            owner.setPrefixState(NODES + "/Microsoft.Network/publicIPPrefixes/zonal", "Updating"));
    AzurePage<PublicPrefix> first = prefixes(Optional.empty());
    AzurePage<PublicPrefix> second = prefixes(first.next());
    PublicPrefix egress = first.items().get(0);
    assertThat(egress.tags()).isEqualTo(Map.of("use", "egress"));
    assertThat(egress.free()).isEqualTo(4);
    assertThat(egress.state()).isEqualTo("succeeded");
    assertThat(egress.zones()).isEmpty();
    PublicPrefix zonal = second.items().get(0);
    assertThat(zonal.zones()).containsExactly("1", "2");
    assertThat(zonal.free()).isEqualTo(1);
    assertThat(zonal.state()).isEqualTo("updating");
    assertThat(second.next()).isEmpty();
    api.createPublicAddress(ADDRESS, zonal);
    assertThat(lastBody()).contains("\"zones\":[\"1\",\"2\"]", "\"deleteOption\":\"Delete\"");
  }

  @Test
  @DisplayName("a virtual machine's interface refers to an address that was made before")
  void machine() throws ArmFailure {
    Written written = api.createPublicAddress(ADDRESS, egress());
    assertThat(written.operation()).isPresent();
    assertThat(api.read(ArmRead.publicAddress(ADDRESS)).address()).isEmpty();
    assertThat(api.read(ArmRead.publicAddress(ADDRESS)).state()).isEqualTo("updating");
    wait(LASTS);
    assertThat(api.read(ArmRead.publicAddress(ADDRESS)).address().orElseThrow().toString())
        .startsWith("203.0.113.");
    assertThat(egress().addresses()).containsExactly(ADDRESS);
    assertThat(api.createPublicAddress(ADDRESS, egress()).ended())
        .as("the same again changes nothing")
        .isTrue();
    api.write(
        api.read(ArmRead.writable(NIC)),
        change("worker-a-eth0", new PublicAddressChange.Existing(ADDRESS)));
    wait(LASTS);
    assertThat(lastBody()).contains("\"macAddress\"", "\"virtualMachine\"");
    assertThat(primary(NIC)).isEqualTo(ADDRESS.text());
    assertThat(api.read(ArmRead.networkInterface(NIC)).configurations().get(0).pinned()).isTrue();
    api.write(
        api.read(ArmRead.writable(NIC)), change("worker-a-eth0", new PublicAddressChange.Gone()));
    wait(LASTS);
    assertThat(primary(NIC)).isEmpty();
  }

  @Test
  @DisplayName("an instance asks by its model, and its address is in a list of its own")
  void instance() throws ArmFailure {
    assertThat(api.page(ArmList.publicAddresses(INSTANCE_NIC, "primary"), Optional.empty()).items())
        .isEmpty();
    PublicAddressChange asked =
        new PublicAddressChange.OfPrefix("Tidemark-public-ip", egress().id());
    api.write(api.read(ArmRead.writable(INSTANCE)), change("eth0", asked));
    assertThat(lastBody()).doesNotContain("storageProfile");
    assertThat(
            api.read(ArmRead.writable(INSTANCE)).find("eth0").orElseThrow().configurations().get(0))
        .extracting(IpConfiguration::publicAddress, IpConfiguration::pinned)
        .containsExactly("Tidemark-public-ip", true);
    wait(LASTS);
    PublicAddress given =
        api.page(ArmList.publicAddresses(INSTANCE_NIC, "primary"), Optional.empty()).items().get(0);
    assertThat(given.address()).isPresent();
    assertThat(primary(INSTANCE_NIC)).isEqualTo(given.id().text());
  }

  @Test
  @DisplayName(
      "AZ-B31 an instance view tells whether the last write failed for want of a public address")
  void exhausted() throws ArmFailure {
    prefix("full", "198.51.100.0/31", Document.EMPTY, 2);
    assertThat(api.read(ArmRead.writable(INSTANCE)).failure()).isEmpty();
    ResourceId full = ResourceId.of(NODES + "/Microsoft.Network/publicIPPrefixes/full");
    Written written =
        api.write(
            api.read(ArmRead.writable(INSTANCE)),
            change("eth0", new PublicAddressChange.OfPrefix("Tidemark-public-ip", full)));
    wait(LASTS);
    assertThat(api.read(ArmRead.writable(INSTANCE)).failure())
        .isEqualTo("PublicIpPrefixOutOfIpAddressesForVMScaleSet");
    assertThat(api.operation(written, INSTANCE).failure())
        .get()
        .extracting(Failure::kind, Failure::condition)
        .containsExactly(Failure.Kind.CAPACITY, ArmCondition.PUBLIC_FULL);
    PublicPrefix none = prefixes(prefixes(Optional.empty()).next()).items().get(0);
    assertThatThrownBy(() -> api.createPublicAddress(ADDRESS, none))
        .extracting(
            each ->
                new ArmErrorClassifier()
                    .classify(ArmOperation.PUBLIC_ADDRESS_UPDATE.kind(), each)
                    .condition())
        .isEqualTo(ArmCondition.PUBLIC_FULL);
  }
}
