package io.tidemark.provider.aws.ec2;

import org.junit.jupiter.api.DisplayName;

@DisplayName("EC2 by way of the SDK, without a socket")
class SdkEc2ApiInProcessTest extends SdkEc2ApiStories {
  @Override
  Emulated open() {
    return Emulated.in(Emulated.emulator(), 0);
  }
}
