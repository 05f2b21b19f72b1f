package io.tidemark.emulator.ec2;

import java.io.IOException;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import software.amazon.awssdk.services.ec2.Ec2Client;

@DisplayName("The AWS SDK for Java over HTTP")
class SdkHttpTest extends SdkStories {
  @Override
  void with(Consumer<Ec2Client> story) throws IOException {
    try (Ec2Emulator.Listening listening = Ec2Emulator.listen(0, World.options());
        Ec2Client client = SdkClients.http(listening.endpoint(), World.ACCOUNT)) {
      story.accept(client);
    }
  }
}
