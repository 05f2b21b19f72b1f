package io.tidemark.it.localstack;

import io.tidemark.testing.Hang;
import java.net.URI;
import java.util.Optional;
import java.util.function.Supplier;
import org.testcontainers.localstack.LocalStackContainer;
import org.testcontainers.utility.DockerImageName;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.ec2.Ec2Client;

/**
 * The LocalStack of this test run: the one that {@code LOCALSTACK_ENDPOINT} names, or else a
 * container that is started when it is first asked for and ends with the run.
 */
final class LocalStack {
  /** The tag of every test that needs it. */
  static final String TAG = "localstack";

  /** The tag of those among them that say the same of LocalStack however it is run. */
  static final String ANSWERS_TAG = "localstack-answers";

  // The last release that starts without a token; the same as .ci/localstack.
  private static final DockerImageName IMAGE =
      DockerImageName.parse("localstack/localstack:4.14.0");

  private LocalStack() {}

  /** Where it listens. Fails when the variable is unset and no container can be started. */
  static URI endpoint() {
    return Started.ENDPOINT;
  }

  /**
   * A client of an account that nobody else uses. The caller closes it.
   *
   * @param account twelve digits; LocalStack takes an access key of this form for the account
   */
  static Ec2Client ec2(String account) {
    return ec2(endpoint(), account);
  }

  /** The same kind of client of another server. */
  static Ec2Client ec2(URI endpoint, String account) {
    return ec2(endpoint, () -> account);
  }

  /** A client that asks for its account with each request. */
  static Ec2Client ec2(URI endpoint, Supplier<String> account) {
    return Ec2Client.builder()
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .credentialsProvider(() -> AwsBasicCredentials.create(account.get(), "unchecked"))
        .httpClientBuilder(UrlConnectionHttpClient.builder().socketTimeout(Hang.LIMIT))
        .overrideConfiguration(
            configuration -> configuration.retryStrategy(AwsRetryStrategy.doNotRetry()))
        .build();
  }

  private static final class Started {
    static final URI ENDPOINT =
        Optional.ofNullable(System.getenv("LOCALSTACK_ENDPOINT"))
            .filter(given -> !given.isEmpty())
            .map(URI::create)
            .orElseGet(Started::container);

    @SuppressWarnings("resource") // Testcontainers ends it with the JVM
    private static URI container() {
      LocalStackContainer container = new LocalStackContainer(IMAGE).withServices("ec2", "sts");
      container.start();
      return container.getEndpoint();
    }
  }
}
