package io.tidemark.it.localstack;

import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.model.ModelOptions;
import io.tidemark.emulator.ec2.types.InstanceTypes;
import java.io.IOException;
import org.junit.jupiter.api.DisplayName;
import software.amazon.awssdk.services.ec2.Ec2Client;

@DisplayName("The EC2 emulator, asked what LocalStack is asked")
class EmulatorTest extends CommonGround {
  private final Ec2Emulator.Listening emulator;

  EmulatorTest() throws IOException {
    emulator = Ec2Emulator.listen(0, ModelOptions.of(1, InstanceTypes.bundled()));
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
