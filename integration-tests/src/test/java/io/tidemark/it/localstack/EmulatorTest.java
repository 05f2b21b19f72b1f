package io.tidemark.it.localstack;

import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.model.Ec2ModelOptions;
import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import java.io.IOException;
import org.junit.jupiter.api.DisplayName;
import software.amazon.awssdk.services.ec2.Ec2Client;

@DisplayName("The EC2 emulator, asked what LocalStack is asked")
class EmulatorTest extends CommonGround {
  private final Ec2Emulator.Listening emulator;

  EmulatorTest() throws IOException {
    emulator = Ec2Emulator.listen(0, Ec2ModelOptions.of(1, Ec2InstanceTypes.bundled()));
  }

  @Override
  Ec2Client connect() {
    return LocalStack.ec2(emulator.endpoint(), "111111111111");
  }

  @Override
  void disconnect() {
    emulator.close();
  }
}
