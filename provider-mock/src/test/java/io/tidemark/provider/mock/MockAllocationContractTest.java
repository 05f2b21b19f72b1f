package io.tidemark.provider.mock;

import io.tidemark.spi.Capability;
import io.tidemark.spi.contract.AllocationContract;
import io.tidemark.spi.contract.ContractCloud;
import io.tidemark.time.VirtualTime;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The mock provider keeps the contract")
class MockAllocationContractTest extends AllocationContract {
  @Override
  protected ContractCloud cloud(VirtualTime time) {
    return new MockContractCloud(time);
  }

  @Override
  protected Map<Capability, String> lacking() {
    return Map.of(
        Capability.IPV6_PREFIX, "The mock cloud's subnets have no IPv6 range.",
        Capability.STATIC_ADDRESS, "The mock cloud has no public addresses.");
  }
}
