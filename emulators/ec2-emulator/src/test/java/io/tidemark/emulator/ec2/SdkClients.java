package io.tidemark.emulator.ec2;

import io.tidemark.emulator.ec2.http.InProcessClient;
import io.tidemark.testing.Hang;
import java.net.URI;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.sts.StsClient;

/** The AWS SDK for Java with its retries off, so that every answer is seen. */
public final class SdkClients {
  private SdkClients() {}

  /** Without a socket. */
  public static Ec2Client inProcess(Ec2Emulator emulator, String account) {
    return client(
        InProcessClient.of(emulator.handler()), URI.create("http://ec2.invalid"), account);
  }

  /** Over HTTP. */
  public static Ec2Client http(URI endpoint, String account) {
    return client(
        UrlConnectionHttpClient.builder()
            .connectionTimeout(Hang.LIMIT)
            .socketTimeout(Hang.LIMIT)
            .build(),
        endpoint,
        account);
  }

  /** The same with credentials that may change from call to call. */
  public static Ec2Client inProcess(Ec2Emulator emulator, AwsCredentialsProvider credentials) {
    return client(
        InProcessClient.of(emulator.handler()), URI.create("http://ec2.invalid"), credentials);
  }

  /** STS without a socket. */
  public static StsClient sts(Ec2Emulator emulator, AwsCredentialsProvider credentials) {
    return StsClient.builder()
        .httpClient(InProcessClient.of(emulator.handler()))
        .endpointOverride(URI.create("http://sts.invalid"))
        .region(Region.US_EAST_1)
        .credentialsProvider(credentials)
        .overrideConfiguration(o -> o.retryStrategy(AwsRetryStrategy.doNotRetry()))
        .build();
  }

  /** The credentials of an account. */
  public static AwsCredentialsProvider account(String account) {
    return StaticCredentialsProvider.create(AwsBasicCredentials.create(account, "secret"));
  }

  private static Ec2Client client(SdkHttpClient http, URI endpoint, String account) {
    return client(http, endpoint, account(account));
  }

  private static Ec2Client client(
      SdkHttpClient http, URI endpoint, AwsCredentialsProvider credentials) {
    return Ec2Client.builder()
        .httpClient(http)
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .credentialsProvider(credentials)
        .overrideConfiguration(o -> o.retryStrategy(AwsRetryStrategy.doNotRetry()))
        .build();
  }
}
