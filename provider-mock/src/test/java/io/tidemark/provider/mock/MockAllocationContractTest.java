package io.tidemark.provider.mock;

import io.tidemark.spi.contract.AllocationContract;
import io.tidemark.spi.contract.ContractCloud;
import io.tidemark.time.VirtualTime;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The mock provider keeps the contract")
class MockAllocationContractTest extends AllocationContract {
  @Override
  protected ContractCloud cloud(VirtualTime time) {
    return new MockContractCloud(time);
  }
}
