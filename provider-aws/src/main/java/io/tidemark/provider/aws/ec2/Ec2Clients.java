package io.tidemark.provider.aws.ec2;

import io.tidemark.provider.aws.ec2.ConnectionSettings.Role;
import io.tidemark.provider.aws.ec2.Ec2Failure.Ending;
import io.tidemark.provider.kit.start.CaBundle;
import io.tidemark.time.TimeSource;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.TrustManager;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.apache5.ProxyConfiguration;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.sts.StsClient;
import software.amazon.awssdk.services.sts.auth.StsAssumeRoleCredentialsProvider;
import software.amazon.awssdk.services.sts.model.GetCallerIdentityResponse;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/**
 * The SDK's clients of one process: one pool of connections, retries off (ours are those of {@code
 * CloudCalls}), credentials of the default chain (web identity of a service account, pod identity,
 * environment, profile, role of the instance), and, if configured, a role assumed through the
 * region's STS. {@code HTTPS_PROXY} and {@code NO_PROXY} apply to EC2 and STS, never to the
 * instance metadata. Thread-safe; {@link #close} ends connections and renewals.
 */
public final class Ec2Clients implements Ec2Connection {
  private static final String SESSION = "tidemark";

  private final ConnectionSettings settings;
  private final String region;
  private final SdkHttpClient http;
  private final Deque<SdkAutoCloseable> open = new ArrayDeque<>();
  private final RenewableCredentials own;
  private final Optional<RenewableCredentials> network;

  /**
   * Clients that send nothing yet.
   *
   * @param connections open at a time, as many as there are workers
   * @param chain makes the credentials
   * @throws IllegalArgumentException when the file of certificates cannot be read
   */
  Ec2Clients(
      ConnectionSettings settings,
      String region,
      int connections,
      Supplier<AwsCredentialsProvider> chain) {
    this.settings = settings;
    this.region = region;
    this.http = kept(http(settings, connections));
    RenewableCredentials found = kept(new RenewableCredentials(chain));
    this.own = settings.role().map(role -> assumed(role, found)).orElse(found);
    this.network = settings.networkRole().map(role -> assumed(role, own));
  }

  /** With the credentials of the default chain. */
  public static Ec2Clients open(ConnectionSettings settings, String region, int connections) {
    return new Ec2Clients(
        settings, region, connections, () -> DefaultCredentialsProvider.builder().build());
  }

  private static SdkHttpClient http(ConnectionSettings settings, int connections) {
    Apache5HttpClient.Builder builder =
        Apache5HttpClient.builder()
            .maxConnections(connections)
            .connectionTimeout(settings.connectTimeout())
            .connectionAcquisitionTimeout(settings.attemptTimeout())
            .socketTimeout(settings.attemptTimeout())
            .tcpKeepAlive(true)
            .proxyConfiguration(
                ProxyConfiguration.builder()
                    .useSystemPropertyValues(true)
                    .useEnvironmentVariableValues(true)
                    .build());
    settings
        .caBundle()
        .ifPresent(
            file -> {
              TrustManager[] trusted = CaBundle.read(file);
              builder.tlsTrustManagersProvider(() -> trusted);
            });
    return builder.build();
  }

  private RenewableCredentials assumed(Role role, RenewableCredentials from) {
    StsClient sts = kept(with(StsClient.builder(), settings.stsEndpoint(), from).build());
    return kept(
        new RenewableCredentials(
            () ->
                StsAssumeRoleCredentialsProvider.builder()
                    .stsClient(sts)
                    .refreshRequest(
                        request -> {
                          request.roleArn(role.arn()).roleSessionName(SESSION);
                          role.externalId().ifPresent(request::externalId);
                        })
                    .build()));
  }

  private <
          B extends
              AwsClientBuilder<B, C>
                  & software.amazon.awssdk.core.client.builder.SdkSyncClientBuilder<B, C>,
          C>
      B with(B builder, Optional<URI> endpoint, AwsCredentialsProvider credentials) {
    B configured =
        builder
            .httpClient(http)
            .region(Region.of(region))
            .credentialsProvider(credentials)
            .fipsEnabled(settings.fips())
            .dualstackEnabled(settings.dualStack())
            .overrideConfiguration(configuration(settings).build());
    endpoint.ifPresent(configured::endpointOverride);
    return configured;
  }

  private static ClientOverrideConfiguration.Builder configuration(ConnectionSettings settings) {
    return ClientOverrideConfiguration.builder()
        .retryStrategy(AwsRetryStrategy.doNotRetry())
        .apiCallAttemptTimeout(settings.attemptTimeout());
  }

  private synchronized <T extends SdkAutoCloseable> T kept(T opened) {
    open.push(opened);
    return opened;
  }

  @Override
  public String accountId() throws Ec2Failure {
    return identity(true).accountId();
  }

  /**
   * The identity of the credentials, as STS reports it.
   *
   * @param arn the user, or the session of a role
   */
  public record Identity(String accountId, String arn) {}

  /**
   * The identity in the account of the instances, or of the network.
   *
   * @throws Ec2Failure if there are no credentials, or STS does not respond
   */
  public Identity identity(boolean accountOfInstances) throws Ec2Failure {
    RenewableCredentials as = credentials(accountOfInstances);
    try (StsClient sts = with(StsClient.builder(), settings.stsEndpoint(), as).build()) {
      GetCallerIdentityResponse answer = sts.getCallerIdentity();
      return new Identity(
          Answers.requireText(answer.account(), "account"),
          Answers.requireText(answer.arn(), "arn"));
    } catch (RuntimeException thrown) {
      throw SdkFailures.of(thrown);
    }
  }

  private RenewableCredentials credentials(boolean accountOfInstances) {
    return accountOfInstances ? own : network.orElse(own);
  }

  /** Clients whose every request is a dry run that changes nothing. */
  public DryRuns dryRuns(TimeSource time) {
    DryRunRequests dryRuns = new DryRunRequests(time);
    SdkEc2Api instances = dryRun(own, dryRuns);
    return new DryRuns(
        instances, network.map(as -> dryRun(as, dryRuns)).orElse(instances), dryRuns::clockSkew);
  }

  private SdkEc2Api dryRun(RenewableCredentials credentials, DryRunRequests dryRuns) {
    Ec2Client client =
        kept(
            with(Ec2Client.builder(), settings.endpoint(), credentials)
                .overrideConfiguration(
                    configuration(settings).addExecutionInterceptor(dryRuns).build())
                .build());
    return new SdkEc2Api(client, credentials, settings.pageSize());
  }

  @Override
  public boolean asksForAccount() {
    return network.isPresent();
  }

  /**
   * EC2 of the region.
   *
   * @throws Ec2Failure {@link Ending#NO_CREDENTIALS} and the like when the own account has to be
   *     asked for
   */
  @Override
  public Ec2Accounts accounts() throws Ec2Failure {
    return network.isPresent()
        ? Ec2Accounts.two(as(false), as(true), accountId())
        : Ec2Accounts.one(as(true));
  }

  /** EC2 as the instances' account, or as the network's, which may be the same. */
  public Ec2Api as(boolean accountOfInstances) {
    RenewableCredentials as = credentials(accountOfInstances);
    Ec2Client client = kept(with(Ec2Client.builder(), settings.endpoint(), as).build());
    return new SdkEc2Api(client, as, settings.pageSize());
  }

  @Override
  public synchronized void close() {
    while (!open.isEmpty()) {
      open.pop().close();
    }
  }
}
