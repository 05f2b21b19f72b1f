package io.tidemark.provider.azure.ipam;

import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.spi.Capability;
import io.tidemark.spi.contract.AllocationContract;
import io.tidemark.spi.contract.ContractCloud;
import io.tidemark.time.VirtualTime;
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
          Capability.STATIC_ADDRESS,
          "Public addresses are not bound yet.");

  @Nested
  @DisplayName("on virtual machines")
  class OnMachines extends AllocationContract {
    @Override
    protected ContractCloud cloud(VirtualTime time) {
      return new AzureContractCloud(time, false, ModelOptions.builder(1));
    }

    @Override
    protected Map<Capability, String> lacking() {
      return LACKING;
    }
  }
}
