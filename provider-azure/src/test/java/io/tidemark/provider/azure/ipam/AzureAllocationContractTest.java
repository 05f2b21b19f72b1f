package io.tidemark.provider.azure.ipam;

import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.model.ModelOptions.Announcement;
import io.tidemark.emulator.arm.network.BlockForm;
import io.tidemark.spi.Capability;
import io.tidemark.spi.contract.AllocationContract;
import io.tidemark.spi.contract.ContractCloud;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

@DisplayName("The Azure provider keeps the contract on the strict ARM, through the real pipeline")
class AzureAllocationContractTest {
  private static final Map<Capability, String> LACKING =
      Map.of(
          Capability.NEW_INTERFACE,
          "Azure attaches an interface to a machine that is deallocated only.",
          Capability.MANY_SUBNETS,
          "All configurations of an interface are in one subnet.",
          Capability.IPV6_PREFIX,
          "Azure gives no IPv6 prefixes for pods.",
          Capability.ALIAS_RANGES,
          "Azure routes no ranges to interfaces.");

  /** The contract with the same capabilities for every form of machines. */
  abstract static class OnAzure extends AllocationContract {
    @Override
    protected Map<Capability, String> lacking() {
      return LACKING;
    }
  }

  @Nested
  @DisplayName("on virtual machines")
  class OnMachines extends OnAzure {
    @Override
    protected ContractCloud cloud(VirtualTime time) {
      return new AzureContractCloud(time, false, ModelOptions.builder(1));
    }
  }

  @Nested
  @DisplayName("on instances of Uniform scale sets, with short pages and both operation headers")
  class OnInstances extends OnAzure {
    @Override
    protected ContractCloud cloud(VirtualTime time) {
      return new AzureContractCloud(
          time, true, ModelOptions.builder(2).pageSize(3).announcement(Announcement.BOTH));
    }
  }

  @Nested
  @DisplayName("on virtual machines whose blocks are shown by one of their addresses")
  class WithBlocks extends OnAzure {
    @Override
    protected ContractCloud cloud(VirtualTime time) {
      return new AzureContractCloud(
          time,
          false,
          ModelOptions.builder(3)
              .blockForm(BlockForm.HOST_BITS)
              .announcement(Announcement.LOCATION)
              .reuseDelay(Duration.ofMinutes(8)));
    }
  }
}
