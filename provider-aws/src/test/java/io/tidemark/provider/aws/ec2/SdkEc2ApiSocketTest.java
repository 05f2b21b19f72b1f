package io.tidemark.provider.aws.ec2;

import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.model.Ec2ModelOptions;
import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import io.tidemark.testing.Hang;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;

@DisplayName("EC2 by way of the SDK, over sockets")
class SdkEc2ApiSocketTest extends SdkEc2ApiStories {
  private Ec2Emulator.@Nullable Listening listening;

  @Override
  Emulated open() throws Exception {
    Ec2Emulator.Listening started =
        Ec2Emulator.listen(0, Ec2ModelOptions.of(1, Ec2InstanceTypes.bundled()));
    listening = started;
    return Emulated.over(
        Apache5HttpClient.builder().connectionTimeout(Hang.LIMIT).socketTimeout(Hang.LIMIT).build(),
        started.endpoint());
  }

  @AfterEach
  void stop() {
    if (listening != null) {
      listening.close();
    }
  }
}
