package io.tidemark.provider.aws;

import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigSource;
import io.tidemark.config.Option;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2CallLimits;
import io.tidemark.provider.aws.ec2.Ec2Clients;
import io.tidemark.provider.aws.ec2.Ec2Connection;
import io.tidemark.provider.aws.ec2.Ec2Failure;
import io.tidemark.provider.aws.eni.InstanceInterfaces;
import io.tidemark.provider.aws.limits.InstanceTypeLimits;
import io.tidemark.provider.aws.metadata.HttpInstanceMetadata;
import io.tidemark.provider.aws.metadata.InstanceInterface;
import io.tidemark.provider.aws.metadata.InstanceMetadata;
import io.tidemark.provider.aws.metadata.InstancePlace;
import io.tidemark.provider.aws.start.StartupRequests;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.Priority;
import io.tidemark.spi.ProviderContext;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * EC2 for a program that works for the instance it runs on (eni-datastore 21.1, AM12): the metadata
 * service says which instance that is, EC2 what it has. Never blocks; closed by who opened it.
 */
public final class AwsInstance implements AutoCloseable {
  private static final int TRIES = 3;
  private static final Duration PAUSE = Duration.ofMillis(500);

  private final ProviderContext context;
  private final AwsConfig config;
  private final InstanceMetadata metadata;
  private final Function<String, Ec2Connection> opener;
  private final CloudCalls calls;
  private final Cancellation shutdown = new Cancellation();
  private final Deque<Ec2Connection> open = new ArrayDeque<>();

  AwsInstance(
      ProviderContext context,
      AwsConfig config,
      InstanceMetadata metadata,
      Function<String, Ec2Connection> opener) {
    this.context = context;
    this.config = config;
    this.metadata = metadata;
    this.opener = opener;
    this.calls =
        context
            .calls()
            .create(
                StartupRequests.with(
                    Ec2CallLimits.ofInstance(
                        config.account(), config.region().orElse(""), config.apiShare())));
  }

  /**
   * Sends nothing yet.
   *
   * @param workers requests at once
   * @throws io.tidemark.error.IpamException naming every wrong setting
   */
  public static AwsInstance of(ProviderContext context, int workers) {
    AwsConfig config = AwsConfig.read(context.config());
    return new AwsInstance(
        context,
        config,
        new HttpInstanceMetadata(config.metadata(), HttpInstanceMetadata.TIMEOUT),
        region -> Ec2Clients.open(config.connection(), region, workers));
  }

  /** The settings that count here. */
  public static List<Option<?>> settings() {
    return List.of(
        AwsKeys.REGION,
        AwsKeys.EC2_ENDPOINT,
        AwsKeys.STS_ENDPOINT,
        AwsKeys.METADATA_ENDPOINT,
        AwsKeys.FIPS,
        AwsKeys.DUAL_STACK,
        AwsKeys.CA_BUNDLE,
        AwsKeys.ROLE,
        AwsKeys.ROLE_EXTERNAL_ID,
        AwsKeys.API_SHARE,
        AwsKeys.SUBNET_IDS,
        AwsKeys.SUBNET_TAGS,
        AwsKeys.ENI_TAGS,
        AwsKeys.GC_INTERVAL,
        AwsKeys.DESCRIPTION,
        AwsKeys.LIMITS);
  }

  /** Notes what is wrong with the settings. */
  public static void check(ConfigSource source, ConfigProblems problems) {
    new AwsConfigReader(source, problems).read();
  }

  /** The instance that this program runs on; the metadata service is asked three times. */
  public CompletionStage<CallResult<InstancePlace>> place() {
    return asked(() -> metadata.place(config.region()));
  }

  /** The interfaces as the metadata service shows them, for as long as EC2 does not answer. */
  public CompletionStage<CallResult<List<InstanceInterface>>> interfacesByMetadata() {
    return asked(metadata::interfaces);
  }

  /**
   * The interfaces of the instance, by EC2.
   *
   * @throws io.tidemark.error.IpamException when a setting of the connection cannot be used
   */
  public InstanceInterfaces interfaces(InstancePlace place) {
    Ec2Api ec2 = kept(opener.apply(place.region()));
    return new InstanceInterfaces(
        ec2,
        calls,
        config.eni(),
        place,
        new InstanceTypeLimits(
            config.limits(), () -> ec2, calls, context.scheduler(), context.metrics()),
        context.scheduler(),
        context.metrics(),
        shutdown);
  }

  private Ec2Api kept(Ec2Connection connection) {
    try {
      Ec2Api ec2 = connection.accounts().as(true);
      open.push(connection);
      return ec2;
    } catch (Ec2Failure unasked) {
      throw new IllegalStateException("failed without a request", unasked);
    }
  }

  private <T> CompletionStage<CallResult<T>> asked(StartupRequests.Question<T> question) {
    CompletableFuture<CallResult<T>> end = new CompletableFuture<>();
    ask(question, 1, end);
    return end;
  }

  private <T> void ask(
      StartupRequests.Question<T> question, int attempt, CompletableFuture<CallResult<T>> end) {
    CallContext one =
        CallContext.within(
            Ec2CallLimits.CALL_TIMEOUT,
            context.scheduler().time(),
            "",
            Priority.Rank.REPAIR,
            shutdown);
    StartupRequests.ask(calls, one, question)
        .thenAccept(
            result -> {
              if (result.answer().isPresent() || attempt == TRIES) {
                end.complete(result);
              } else {
                context.scheduler().after(PAUSE, () -> ask(question, attempt + 1, end));
              }
            });
  }

  /** Ends connections; what is under way fails. Idempotent. */
  @Override
  public void close() {
    shutdown.cancel();
    while (!open.isEmpty()) {
      open.pop().close();
    }
  }
}
