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
  private final SdkHttpClient http;
  private final Deque<SdkAutoCloseable> open = new ArrayDeque<>();
  private final RenewableCredentials own;
  private final Optional<RenewableCredentials> network;

  private Ec2Clients(ConnectionSettings settings, Supplier<AwsCredentialsProvider> chain) {
    this.settings = settings;
    this.http = kept(http(settings));
    RenewableCredentials found = kept(new RenewableCredentials(chain));
    this.own = settings.role().map(role -> assumed(role, found)).orElse(found);
    this.network = settings.networkRole().map(role -> assumed(role, own));
  }

  /**
   * Clients with the credentials of the default chain; sends nothing yet.
   *
   * @throws IllegalArgumentException when the file of certificates cannot be read
   */
  public static Ec2Clients open(ConnectionSettings settings) {
    return open(settings, () -> DefaultCredentialsProvider.builder().build());
  }

  static Ec2Clients open(ConnectionSettings settings, Supplier<AwsCredentialsProvider> chain) {
    return new Ec2Clients(settings, chain);
  }

  private static SdkHttpClient http(ConnectionSettings settings) {
    Apache5HttpClient.Builder builder =
        Apache5HttpClient.builder()
            .maxConnections(settings.connections())
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
            .region(Region.of(settings.region()))
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

  /**
   * The account of the credentials; sends a request to STS.
   *
   * @throws Ec2Failure if there are no credentials, or STS does not respond
   */
  @Override
  public String accountId() throws Ec2Failure {
    return identity().accountId();
  }

  /**
   * The identity of the credentials, as STS reports it.
   *
   * @param arn the user, or the session of a role
   */
  public record Identity(String accountId, String arn) {}

  /**
   * The identity in the account of the instances.
   *
   * @throws Ec2Failure if there are no credentials, or STS does not respond
   */
  public Identity identity() throws Ec2Failure {
    return identity(own);
  }

  /**
   * The identity in the account of the network.
   *
   * @throws Ec2Failure as {@link #identity()}
   */
  public Identity networkIdentity() throws Ec2Failure {
    return identity(network.orElse(own));
  }

  private Identity identity(RenewableCredentials as) throws Ec2Failure {
    try (StsClient sts = with(StsClient.builder(), settings.stsEndpoint(), as).build()) {
      GetCallerIdentityResponse answer = sts.getCallerIdentity();
      return new Identity(
          Answers.requireText(answer.account(), "account"),
          Answers.requireText(answer.arn(), "arn"));
    } catch (RuntimeException thrown) {
      throw SdkFailures.of(thrown);
    }
  }

  /** Clients whose every request is a dry run that changes nothing. */
  public DryRuns dryRuns(TimeSource time) {
    DryRunRequests dryRuns = new DryRunRequests(time);
    SdkEc2Api instances = dryRun(own, dryRuns);
    return new DryRuns(
        instances, network.map(as -> dryRun(as, dryRuns)).orElse(instances), dryRuns);
  }

  private SdkEc2Api dryRun(RenewableCredentials credentials, DryRunRequests dryRuns) {
    Ec2Client client =
        kept(
            with(Ec2Client.builder(), settings.endpoint(), credentials)
                .overrideConfiguration(
                    configuration(settings).addExecutionInterceptor(dryRuns).build())
                .build());
    return new SdkEc2Api(client, credentials, new PageSizes(settings.pageSize()));
  }

  @Override
  public boolean asksForAccount() {
    return network.isPresent();
  }

  /**
   * EC2 of the region. With a role in the network's account, requests are split between the two
   * accounts.
   *
   * @throws Ec2Failure {@link Ending#NO_CREDENTIALS} and the like when the own account has to be
   *     asked for
   */
  @Override
  public Ec2Api api() throws Ec2Failure {
    Ec2Api local = api(own);
    return network.isPresent() ? new SplitEc2Api(api(network.get()), local, accountId()) : local;
  }

  /** EC2 as the instances' account alone. */
  public Ec2Api ofInstances() {
    return api(own);
  }

  /** EC2 as the network's account alone, which may be the same. */
  public Ec2Api ofNetwork() {
    return api(network.orElse(own));
  }

  private Ec2Api api(RenewableCredentials credentials) {
    Ec2Client client = kept(with(Ec2Client.builder(), settings.endpoint(), credentials).build());
    return new SdkEc2Api(client, credentials, new PageSizes(settings.pageSize()));
  }

  @Override
  public synchronized void close() {
    while (!open.isEmpty()) {
      open.pop().close();
    }
  }
}
