package io.tidemark.emulator.ec2;

import io.tidemark.emulator.ec2.http.InProcessClient;
import java.net.URI;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.ec2.Ec2Client;

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
    return client(UrlConnectionHttpClient.create(), endpoint, account);
  }

  private static Ec2Client client(SdkHttpClient http, URI endpoint, String account) {
    return Ec2Client.builder()
        .httpClient(http)
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create(account, "secret")))
        .overrideConfiguration(o -> o.retryStrategy(AwsRetryStrategy.doNotRetry()))
        .build();
  }
}
