package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.ip.AddressSet;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Which sets and groups are read, as nodes come and go (Z36, Z37)")
class NodesOfScopesTest {
  private static final String LIST = "Interfaces.ListVirtualMachineScaleSetNetworkInterfaces";

  private final AzureWorld world = new AzureWorld(ModelOptions.of(1));
  private final AzureAllocation azure = world.allocation(SettingsSample.ALWAYS_DUE);
  private final String second = Form.UNIFORM.machine.replaceAll("0$", "1");

  private void resync() {
    world.await(azure.resync(world.context()));
  }

  @Test
  @DisplayName("AZ-N38 a set is read for its other nodes when one of them is deleted")
  void othersStay() {
    OneNode.on(world, azure, Form.UNIFORM.machine);
    OneNode stays = OneNode.on(world, azure, second);
    azure.deleteInstance(world.id(Form.UNIFORM.machine));
    AddressSet theirs = OneNode.on(world, second).added(2);
    world.time.runUntil(world.time.nanos() + Duration.ofMinutes(6).toNanos());
    resync();
    assertThat(world.asked(LIST)).isEqualTo(1);
    assertThat(stays.addresses()).isEqualTo(theirs);
  }

  @Test
  @DisplayName("AZ-N38 a set is not read any more when the last of its nodes is deleted")
  void lastGoes() {
    OneNode.on(world, azure, Form.UNIFORM.machine);
    OneNode.on(world, azure, second);
    resync();
    assertThat(world.asked(LIST)).isEqualTo(1);
    azure.deleteInstance(world.id(Form.UNIFORM.machine));
    azure.deleteInstance(world.id(second));
    resync();
    assertThat(world.asked(LIST)).isEqualTo(1);
  }
}
