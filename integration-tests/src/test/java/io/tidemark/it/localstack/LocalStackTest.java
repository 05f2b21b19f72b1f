package io.tidemark.it.localstack;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import software.amazon.awssdk.services.ec2.Ec2Client;

@Tag(LocalStack.TAG)
@DisplayName("LocalStack, asked by the AWS SDK")
class LocalStackTest extends CommonGround {
  private static final AtomicInteger ACCOUNTS = new AtomicInteger();

  @Override
  Ec2Client connect() {
    return LocalStack.ec2(String.format(Locale.ROOT, "1%011d", ACCOUNTS.incrementAndGet()));
  }

  @Override
  void disconnect() {
    // LocalStack is shared and goes on.
  }
}
