package io.tidemark.emulator.arm.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.jdk.httpclient.JdkHttpClientBuilder;
import com.azure.core.management.SubResource;
import com.azure.core.management.exception.ManagementException;
import com.azure.core.util.Context;
import com.azure.resourcemanager.compute.fluent.ComputeManagementClient;
import com.azure.resourcemanager.compute.fluent.VirtualMachineScaleSetVMsClient;
import com.azure.resourcemanager.compute.fluent.VirtualMachineScaleSetsClient;
import com.azure.resourcemanager.compute.fluent.VirtualMachinesClient;
import com.azure.resourcemanager.compute.fluent.models.VirtualMachineScaleSetVMInner;
import com.azure.resourcemanager.compute.implementation.ComputeManagementClientBuilder;
import com.azure.resourcemanager.compute.models.InstanceViewTypes;
import com.azure.resourcemanager.compute.models.VirtualMachineScaleSetIpConfiguration;
import com.azure.resourcemanager.compute.models.VirtualMachineScaleSetPublicIpAddressConfiguration;
import com.azure.resourcemanager.network.fluent.NetworkInterfacesClient;
import com.azure.resourcemanager.network.fluent.NetworkManagementClient;
import com.azure.resourcemanager.network.fluent.PublicIpAddressesClient;
import com.azure.resourcemanager.network.fluent.PublicIpPrefixesClient;
import com.azure.resourcemanager.network.fluent.VirtualNetworksClient;
import com.azure.resourcemanager.network.fluent.models.NetworkInterfaceInner;
import com.azure.resourcemanager.network.fluent.models.NetworkInterfaceIpConfigurationInner;
import com.azure.resourcemanager.network.fluent.models.PublicIpAddressInner;
import com.azure.resourcemanager.network.fluent.models.PublicIpPrefixInner;
import com.azure.resourcemanager.network.fluent.models.SubnetInner;
import com.azure.resourcemanager.network.implementation.NetworkManagementClientBuilder;
import com.azure.resourcemanager.network.models.IpAllocationMethod;
import com.azure.resourcemanager.network.models.ProvisioningState;
import com.azure.resourcemanager.network.models.PublicIpAddressSku;
import com.azure.resourcemanager.network.models.PublicIpAddressSkuName;
import com.azure.resourcemanager.network.models.TagsObject;
import io.tidemark.emulator.arm.ArmEmulator;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.request.ArmError;
import io.tidemark.emulator.arm.scenario.ArmScenarioYaml;
import io.tidemark.testing.Hang;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("AZ-N47 Microsoft's typed clients understand the emulator")
class TypedClientsTest {
  private static final String SUBSCRIPTION = "00000000-0000-0000-0000-000000000001";
  private static final String BEARER = "Bearer static-witness";

  private static final HttpClient CLIENT =
      new JdkHttpClientBuilder()
          .connectionTimeout(Hang.LIMIT)
          .writeTimeout(Hang.LIMIT)
          .responseTimeout(Hang.LIMIT)
          .readTimeout(Hang.LIMIT)
          .build();

  private final ArmEmulator.Listening listening;
  private final NetworkManagementClient network;
  private final ComputeManagementClient compute;
  private final NetworkInterfacesClient nics;
  private final PublicIpAddressesClient addresses;
  private final PublicIpPrefixesClient prefixes;
  private final VirtualNetworksClient networks;
  private final VirtualMachineScaleSetVMsClient instances;
  private final VirtualMachineScaleSetsClient sets;
  private final VirtualMachinesClient machines;

  TypedClientsTest() throws IOException {
    ModelOptions twoPolls = ModelOptions.builder(1).operationPolls(2).build();
    listening = ArmEmulator.listen(0, ArmScenarioYaml.example().withOptions(twoPolls));
    HttpPipeline pipeline =
        new HttpPipelineBuilder()
            .httpClient(CLIENT)
            .policies(
                (context, next) -> {
                  context.getHttpRequest().setHeader(HttpHeaderName.AUTHORIZATION, BEARER);
                  return next.process();
                })
            .build();
    String endpoint = listening.endpoint().toString().replaceAll("/$", "");
    network =
        new NetworkManagementClientBuilder()
            .subscriptionId(SUBSCRIPTION)
            .endpoint(endpoint)
            .pipeline(pipeline)
            .defaultPollInterval(Duration.ofMillis(1))
            .buildClient();
    compute =
        new ComputeManagementClientBuilder()
            .subscriptionId(SUBSCRIPTION)
            .endpoint(endpoint)
            .pipeline(pipeline)
            .defaultPollInterval(Duration.ofMillis(1))
            .buildClient();
    nics = network.getNetworkInterfaces();
    addresses = network.getPublicIpAddresses();
    prefixes = network.getPublicIpPrefixes();
    networks = network.getVirtualNetworks();
    instances = compute.getVirtualMachineScaleSetVMs();
    sets = compute.getVirtualMachineScaleSets();
    machines = compute.getVirtualMachines();
  }

  @AfterEach
  void end() {
    listening.close();
  }

  @Test
  @DisplayName("C1, C2, C3: networks, a subnet, usages")
  void networks() {
    assertThat(networks.list())
        .singleElement()
        .satisfies(each -> assertThat(each.subnets()).hasSize(1));
    SubnetInner subnet =
        network
            .getSubnets()
            .getWithResponse("network", "cluster", "nodes", null, Context.NONE)
            .getValue();
    assertThat(subnet.addressPrefix()).isEqualTo("10.0.0.0/20");
    assertThat(subnet.ipConfigurations()).hasSize(4);
    assertThat(networks.listUsage("network", "cluster"))
        .singleElement()
        .satisfies(
            each -> {
              assertThat(each.limit()).isEqualTo(4091);
              assertThat(each.currentValue()).isEqualTo(4);
            });
  }

  @Test
  @DisplayName("C4, C6, C7, C10: interfaces by group, set, instance and name")
  void interfaces() {
    assertThat(nics.listByResourceGroup("nodes")).hasSize(2);
    assertThat(nics.listVirtualMachineScaleSetNetworkInterfaces("nodes", "pool-a")).hasSize(2);
    NetworkInterfaceInner listed =
        nics.listVirtualMachineScaleSetVMNetworkInterfaces("nodes", "pool-a", "1")
            .iterator()
            .next();
    assertThat(listed.virtualMachine().id()).endsWith("/virtualMachines/1");
    NetworkInterfaceInner nic = nics.getByResourceGroup("nodes", "worker-a-eth0");
    assertThat(nic.macAddress()).startsWith("00-0D-3A-");
    assertThat(nic.etag()).startsWith("W/\"");
    assertThat(nic.ipConfigurations().get(0).primary()).isTrue();
    assertThat(nic.provisioningState()).isEqualTo(ProvisioningState.SUCCEEDED);
  }

  @Test
  @DisplayName("C11: an interface gets addresses, the operation is polled to its end")
  void writeInterface() {
    NetworkInterfaceInner written = nics.createOrUpdate("nodes", "worker-a-eth0", withMore(3));
    assertThat(written.ipConfigurations())
        .hasSize(4)
        .allMatch(each -> each.privateIpAddress().startsWith("10.0."));
  }

  @Test
  @DisplayName("C8, C9, C12: an instance is read and gets an address, a machine is read")
  void writeInstance() {
    VirtualMachineScaleSetVMInner instance =
        instances
            .getWithResponse("nodes", "pool-a", "0", InstanceViewTypes.INSTANCE_VIEW, Context.NONE)
            .getValue();
    assertThat(instance.etag()).isEqualTo("\"1\"");
    assertThat(instance.instanceView().statuses())
        .extracting(each -> each.code())
        .contains("PowerState/running");
    List<VirtualMachineScaleSetIpConfiguration> configurations =
        instance
            .networkProfileConfiguration()
            .networkInterfaceConfigurations()
            .get(0)
            .ipConfigurations();
    List<VirtualMachineScaleSetIpConfiguration> more = new ArrayList<>(configurations);
    more.add(
        new VirtualMachineScaleSetIpConfiguration()
            .withName("pod-0")
            .withSubnet(configurations.get(0).subnet()));
    instance
        .networkProfileConfiguration()
        .networkInterfaceConfigurations()
        .get(0)
        .withIpConfigurations(more);
    instances.update("nodes", "pool-a", "0", instance);
    assertThat(
            nics.listVirtualMachineScaleSetVMNetworkInterfaces("nodes", "pool-a", "0")
                .iterator()
                .next()
                .ipConfigurations())
        .hasSize(2);
    assertThat(machines.getByResourceGroup("nodes", "worker-a").vmId()).isNotEmpty();
  }

  private PublicIpPrefixInner prefix() {
    return prefixes.listByResourceGroup("nodes").iterator().next();
  }

  /** An address of the prefix. */
  private PublicIpAddressInner ofPrefix() {
    return new PublicIpAddressInner()
        .withLocation(prefix().location())
        .withSku(new PublicIpAddressSku().withName(PublicIpAddressSkuName.STANDARD))
        .withPublicIpAllocationMethod(IpAllocationMethod.STATIC)
        .withPublicIpPrefix(new SubResource().withId(prefix().id()));
  }

  /** The machine's interface with new configurations. */
  private NetworkInterfaceInner withMore(int count) {
    NetworkInterfaceInner nic = nics.getByResourceGroup("nodes", "worker-a-eth0");
    List<NetworkInterfaceIpConfigurationInner> more = new ArrayList<>(nic.ipConfigurations());
    for (int i = 0; i < count; i++) {
      more.add(configuration("pod-" + i, nic));
    }
    return nic.withIpConfigurations(more);
  }

  private static NetworkInterfaceIpConfigurationInner configuration(
      String name, NetworkInterfaceInner beside) {
    return new NetworkInterfaceIpConfigurationInner()
        .withName(name)
        .withSubnet(new SubnetInner().withId(beside.ipConfigurations().get(0).subnet().id()));
  }

  private static void refuses(String code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ManagementException.class, e -> assertThat(e.getValue().getCode()).isEqualTo(code));
  }

  @Test
  @DisplayName("C13: a virtual machine gets an address of a prefix, by a reference")
  void publicAddressOfMachine() {
    PublicIpPrefixInner prefix = prefix();
    assertThat(prefix.ipPrefix()).isEqualTo("203.0.113.0/30");
    assertThat(prefix.tags()).containsEntry("use", "egress");
    PublicIpAddressInner made = addresses.createOrUpdate("nodes", "worker-a", ofPrefix());
    assertThat(made.ipAddress()).startsWith("203.0.113.");
    NetworkInterfaceInner nic = nics.getByResourceGroup("nodes", "worker-a-eth0");
    nic.ipConfigurations().get(0).withPublicIpAddress(new PublicIpAddressInner().withId(made.id()));
    NetworkInterfaceInner written = nics.createOrUpdate("nodes", "worker-a-eth0", nic);
    assertThat(written.ipConfigurations().get(0).publicIpAddress().id()).isEqualTo(made.id());
    assertThat(addresses.getByResourceGroup("nodes", "worker-a").ipConfiguration().id())
        .endsWith("/worker-a-eth0/ipConfigurations/primary");
    assertThat(prefix().publicIpAddresses()).hasSize(1);
  }

  @Test
  @DisplayName("C14: an instance gets an address of a prefix, by its model")
  void publicAddressOfInstance() {
    VirtualMachineScaleSetVMInner instance = instances.get("nodes", "pool-a", "0");
    VirtualMachineScaleSetIpConfiguration primary =
        instance
            .networkProfileConfiguration()
            .networkInterfaceConfigurations()
            .get(0)
            .ipConfigurations()
            .get(0);
    primary.withPublicIpAddressConfiguration(
        new VirtualMachineScaleSetPublicIpAddressConfiguration()
            .withName("node-ip")
            .withPublicIpPrefix(new SubResource().withId(prefix().id())));
    instances.update("nodes", "pool-a", "0", instance);
    assertThat(
            addresses.listVirtualMachineScaleSetVMPublicIpAddresses(
                "nodes", "pool-a", "0", "eth0", primary.name()))
        .singleElement()
        .satisfies(
            each -> {
              assertThat(each.ipAddress()).startsWith("203.0.113.");
              assertThat(each.id()).endsWith("/publicIPAddresses/node-ip");
            });
  }

  @Test
  @DisplayName("lists of the subscription, single resources and views of instances")
  void managementReads() {
    assertThat(nics.list()).hasSize(2);
    assertThat(addresses.list()).isEmpty();
    assertThat(addresses.listByResourceGroup("nodes")).isEmpty();
    assertThat(prefixes.list()).hasSize(1);
    assertThat(prefixes.getByResourceGroup("nodes", "egress").ipPrefix())
        .isEqualTo("203.0.113.0/30");
    assertThat(networks.listByResourceGroup("network")).hasSize(1);
    assertThat(networks.getByResourceGroup("network", "cluster").addressSpace().addressPrefixes())
        .containsExactly("10.0.0.0/20");
    assertThat(network.getSubnets().list("network", "cluster")).hasSize(1);
    assertThat(network.getNetworkInterfaceIpConfigurations().list("nodes", "worker-a-eth0"))
        .hasSize(1);
    assertThat(
            nics.getVirtualMachineScaleSetNetworkInterface("nodes", "pool-a", "0", "eth0")
                .macAddress())
        .startsWith("00-0D-3A-");
    assertThat(sets.list()).hasSize(2);
    assertThat(sets.getByResourceGroup("nodes", "pool-a").sku().capacity()).isEqualTo(2);
    assertThat(sets.getInstanceView("nodes", "pool-a").virtualMachine().statusesSummary())
        .hasSize(2)
        .allMatch(each -> each.count() == 2);
    assertThat(instances.list("nodes", "pool-a"))
        .extracting(each -> each.instanceId())
        .containsExactly("0", "1");
    assertThat(instances.getInstanceView("nodes", "pool-a", "0").statuses()).hasSize(2);
    assertThat(machines.list()).hasSize(2);
    assertThat(machines.listByResourceGroup("nodes")).hasSize(2);
    assertThat(machines.instanceView("nodes", "worker-a").statuses())
        .extracting(each -> each.code())
        .contains("PowerState/running");
  }

  @Test
  @DisplayName("an interface of no machine and a public address are tagged and deleted")
  void tagsAndDeletions() {
    NetworkInterfaceInner attached = nics.getByResourceGroup("nodes", "worker-a-eth0");
    NetworkInterfaceInner free =
        new NetworkInterfaceInner()
            .withIpConfigurations(List.of(configuration("primary", attached)));
    free.withLocation("westeurope");
    nics.createOrUpdate("nodes", "free", free);
    TagsObject tags = new TagsObject().withTags(Map.of("use", "test"));
    assertThat(nics.updateTags("nodes", "free", tags).tags()).isEqualTo(tags.tags());
    nics.delete("nodes", "free");
    assertThat(nics.list()).hasSize(2);
    nics.delete("nodes", "free");
    refuses("NicInUse", () -> nics.delete("nodes", "worker-a-eth0"));
    addresses.createOrUpdate("nodes", "one", ofPrefix());
    assertThat(addresses.updateTags("nodes", "one", tags).tags()).isEqualTo(tags.tags());
    addresses.delete("nodes", "one");
    assertThat(addresses.list()).isEmpty();
  }

  @Test
  @DisplayName("what is not served is an error, which no client takes for a deletion")
  void notServed() {
    assertThatThrownBy(() -> machines.delete("nodes", "worker-a"))
        .isInstanceOfSatisfying(
            ManagementException.class,
            e -> {
              assertThat(e.getResponse().getStatusCode()).isEqualTo(501);
              assertThat(e.getValue().getCode()).isEqualTo("NotImplemented");
            });
    assertThat(machines.getByResourceGroup("nodes", "worker-a").vmId()).isNotEmpty();
  }

  @Test
  @DisplayName("errors have the client's form: the code of a refusal and of a failed operation")
  void errors() {
    refuses("ResourceNotFound", () -> nics.getByResourceGroup("nodes", "missing"));
    listening
        .emulator()
        .faults(
            ArmFault.every("Interfaces.CreateOrUpdate", ArmFault.Kind.FAIL_OPERATION)
                .withError(ArmError.of(409, "NicFailed", "x")));
    NetworkInterfaceInner nic = withMore(1);
    refuses("NicFailed", () -> nics.createOrUpdate("nodes", "worker-a-eth0", nic));
  }
}
