package io.tidemark.provider.azure.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Resource ids (provider-azure 3.1, 3.2, Z40)")
class ResourceIdTest {
  private static final String UNIFORM_NIC =
      "/subscriptions/xxx/resourceGroups/MC_aks-test_aks-test_westeurope/providers"
          + "/Microsoft.Compute/virtualMachineScaleSets/aks-nodepool1-10706209-vmss"
          + "/virtualMachines/3/networkInterfaces/aks-nodepool1-10706209-vmss";

  @Test
  @DisplayName(
      "AZ-B2 the id of a Uniform instance's interface names group, set and instance, in any case")
  void uniform() {
    for (String text :
        new String[] {
          UNIFORM_NIC, UNIFORM_NIC.toLowerCase(Locale.ROOT), UNIFORM_NIC.toUpperCase(Locale.ROOT)
        }) {
      ResourceId nic = ResourceId.parse(text).orElseThrow();
      assertThat(nic).isEqualTo(ResourceId.of(UNIFORM_NIC));
      assertThat(nic).hasSameHashCodeAs(ResourceId.of(UNIFORM_NIC));
      assertThat(nic.group()).isEqualToIgnoringCase("MC_aks-test_aks-test_westeurope");
      ResourceId instance = nic.parent().orElseThrow();
      assertThat(instance.isUniformInstance()).isTrue();
      assertThat(instance.name()).isEqualTo("3");
      ResourceId set = instance.parent().orElseThrow();
      assertThat(set.name()).isEqualToIgnoringCase("aks-nodepool1-10706209-vmss");
      assertThat(set.parent()).isEmpty();
    }
  }

  @Test
  @DisplayName("AZ-B3 the id of a virtual machine's interface names its group")
  void machine() {
    ResourceId nic =
        ResourceId.of(
            "/subscriptions/xxx/resourceGroups/az-test-rg/providers/Microsoft.Network"
                + "/networkInterfaces/pods-interface");
    assertThat(nic.group()).isEqualTo("az-test-rg");
    assertThat(nic.isOf("microsoft.network", "networkinterfaces")).isTrue();
    assertThat(nic.parent()).isEmpty();
  }

  @Test
  @DisplayName("a virtual machine whose name is that of a type is a virtual machine")
  void misleadingName() {
    ResourceId machine =
        ResourceId.of(
            "/subscriptions/s/resourceGroups/r/providers/Microsoft.Compute/virtualMachines"
                + "/virtualMachineScaleSets");
    assertThat(machine.isVirtualMachine()).isTrue();
    assertThat(machine.isUniformInstance()).isFalse();
  }

  @ParameterizedTest(name = "text {0}")
  @ValueSource(
      strings = {
        "",
        "intf-1",
        "azure:///subscriptions/s/resourceGroups/r/providers/a/b/c",
        "/subscriptions/s",
        "/subscriptions/s/resourceGroups/r/providers/a/b",
        "/subscriptions//resourceGroups/r/providers/a/b/c",
        "/subscriptions/s/groups/r/providers/a/b/c",
        "/subscriptions/s/resourceGroups/r/providers/a/b/c/",
        "/subscriptions/s/resourceGroups/../providers/a/b/c",
        "/subscriptions/s/resourceGroups/r/providers/a/b/."
      })
  @DisplayName("AZ-B32 a text that is no id of a resource is empty, without an exception")
  void noIds(String text) {
    assertThat(ResourceId.parse(text)).isEmpty();
  }
}
