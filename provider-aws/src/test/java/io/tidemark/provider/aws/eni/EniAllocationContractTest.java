package io.tidemark.provider.aws.eni;

import io.tidemark.spi.contract.AllocationContract;
import io.tidemark.spi.contract.ContractCloud;
import io.tidemark.time.VirtualTime;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The AWS provider keeps the contract on the strict EC2, through the real SDK")
class EniAllocationContractTest extends AllocationContract {
  @Override
  protected ContractCloud cloud(VirtualTime time) {
    return new EmulatedContractCloud(time);
  }
}
