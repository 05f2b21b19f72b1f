package io.tidemark.provider.aws.eni;

import io.tidemark.spi.contract.AllocationContract;
import io.tidemark.spi.contract.ContractCloud;
import io.tidemark.time.VirtualTime;
import org.junit.jupiter.api.DisplayName;

@DisplayName(
    "The AWS provider keeps the contract on the strict EC2, through the real SDK; so AWS-1 AWS-2"
        + " AWS-3 AWS-4 AWS-6 AWS-7 AWS-8 AWS-9 AWS-10 AWS-11 and AWS-90 are as in C-AWS and D-4")
class EniAllocationContractTest extends AllocationContract {
  @Override
  protected ContractCloud cloud(VirtualTime time) {
    return new EmulatedContractCloud(time);
  }
}
