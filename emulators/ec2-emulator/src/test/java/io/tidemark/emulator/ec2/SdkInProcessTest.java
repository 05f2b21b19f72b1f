package io.tidemark.emulator.ec2;

import io.tidemark.time.VirtualTime;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import software.amazon.awssdk.services.ec2.Ec2Client;

@DisplayName("The AWS SDK for Java without a socket, in virtual time")
class SdkInProcessTest extends SdkStories {
  @Override
  void with(Consumer<Ec2Client> story) {
    Ec2Emulator emulator = Ec2Emulator.in(new VirtualTime(1_767_225_600_000L), World.options());
    try (Ec2Client client = SdkClients.inProcess(emulator, World.ACCOUNT)) {
      story.accept(client);
    }
  }
}
