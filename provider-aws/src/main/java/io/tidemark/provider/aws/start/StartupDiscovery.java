package io.tidemark.provider.aws.start;

import io.tidemark.error.CoreError;
import io.tidemark.provider.aws.ec2.Ec2Accounts;
import io.tidemark.provider.aws.ec2.Ec2CallLimits;
import io.tidemark.provider.aws.ec2.Ec2Condition;
import io.tidemark.provider.aws.ec2.Ec2Connection;
import io.tidemark.provider.aws.ec2.Ec2Failure;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.provider.aws.metadata.InstanceMetadata;
import io.tidemark.provider.kit.start.Startup;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.Priority;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.OperatorNotices;
import io.tidemark.time.TaskScheduler;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Discovers what requests to EC2 need (provider-aws 0.4, M9, M11, M19): the region if it is not
 * configured, the account if two are used, and the cluster's name if it has none. Each step is one
 * request; concurrent callers share it, and the next caller retries a failed one. If everything is
 * configured, no request is sent. Thread-safe.
 */
public final class StartupDiscovery implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StartupDiscovery.class);
  private static final String CLUSTER_TAG = "aws:eks:cluster-name";

  private final Optional<String> cluster;
  private final String otherwise;
  private final Function<String, Ec2Connection> opener;
  private final InstanceMetadata metadata;
  private final CloudCalls calls;
  private final TaskScheduler scheduler;
  private final OperatorNotices notices;
  private final Cancellation shutdown = new Cancellation();
  private final RegionAndAccount place;
  private final Startup<Discovered> startup = new Startup<>(() -> region(context()));
  private final Object lock = new Object();
  private @Nullable Ec2Connection connection;

  /**
   * The result of the discovery.
   *
   * @param cluster empty when the cluster has no name
   */
  public record Discovered(Ec2Accounts ec2, String cluster) {}

  /**
   * Makes no request yet.
   *
   * @param region from settings, environment or profile; empty to read the instance metadata
   * @param cluster the name from the settings; empty to read it from tags
   * @param otherwise the name of a cluster for which none is found; empty for none
   * @param opener connects to a region, without a request
   * @param calls has the kinds of {@link StartupRequests} beside EC2's
   * @param notices receives a notice if the cluster has no name (M9)
   */
  public StartupDiscovery(
      Optional<String> region,
      Optional<String> cluster,
      String otherwise,
      Function<String, Ec2Connection> opener,
      InstanceMetadata metadata,
      CloudCalls calls,
      TaskScheduler scheduler,
      OperatorNotices notices) {
    this.cluster = cluster;
    this.otherwise = otherwise;
    this.opener = opener;
    this.metadata = metadata;
    this.calls = calls;
    this.scheduler = scheduler;
    this.notices = notices;
    this.place = new RegionAndAccount(calls, scheduler, notices, shutdown);
    region.ifPresent(this::open);
  }

  /** The discovery itself, which requests wait for. */
  public Startup<Discovered> startup() {
    return startup;
  }

  /**
   * EC2 after the discovery; for requests that are sent after it.
   *
   * @throws IllegalStateException before the discovery
   */
  public Ec2Accounts ec2() {
    return startup.known().ec2();
  }

  /** The cluster's name in tags and request tokens; empty when it has none. After the start. */
  public String cluster() {
    return startup.known().cluster();
  }

  /** Region and account of the requests. */
  public RegionAndAccount place() {
    return place;
  }

  private CallContext context() {
    return CallContext.within(
        Ec2CallLimits.CALL_TIMEOUT, scheduler.time(), "", Priority.Rank.REPAIR, shutdown);
  }

  // ---- the steps, in their order

  private CompletionStage<CallResult<Discovered>> region(CallContext context) {
    @Nullable Ec2Connection open;
    synchronized (lock) {
      open = connection;
    }
    if (open != null) {
      return account(open, context);
    }
    return calls
        .call(
            StartupRequests.METADATA,
            context,
            attempt -> open(StartupRequests.asked(metadata::region)))
        .thenCompose(result -> result.then(opened -> account(opened, context)));
  }

  private CompletionStage<CallResult<Discovered>> account(Ec2Connection open, CallContext context) {
    if (open.asksForAccount()) {
      return calls
          .call(StartupRequests.IDENTITY, context, attempt -> open.accounts())
          .thenCompose(result -> result.then(ec2 -> cluster(ec2, context)));
    }
    try {
      return cluster(open.accounts(), context);
    } catch (Ec2Failure unasked) {
      throw new IllegalStateException("failed without a request", unasked);
    }
  }

  private CompletionStage<CallResult<Discovered>> cluster(Ec2Accounts ec2, CallContext context) {
    if (cluster.isPresent()) {
      return CallResult.answered(new Discovered(ec2, cluster.get()));
    }
    return StartupRequests.ask(calls, context, metadata::clusterName)
        .thenCompose(
            result ->
                result.match(
                    name -> name.isPresent() ? named(ec2, name) : instance(ec2, context),
                    failure -> unnamed(ec2, failure.detail())));
  }

  private CompletionStage<CallResult<Discovered>> instance(Ec2Accounts ec2, CallContext context) {
    return StartupRequests.ask(calls, context, metadata::instanceId)
        .thenCompose(
            result ->
                result.match(
                    id -> tag(ec2, new InstanceId(id), context),
                    failure -> unnamed(ec2, failure.detail())));
  }

  /** Not being allowed to ask is an answer; that EC2 is out of order is none. */
  private CompletionStage<CallResult<Discovered>> tag(
      Ec2Accounts ec2, InstanceId id, CallContext context) {
    return calls
        .call(
            Ec2Operation.DESCRIBE_TAGS.kind(),
            context,
            attempt -> ec2.as(true).describeTag(id, CLUSTER_TAG))
        .thenCompose(
            result ->
                result.match(
                    name ->
                        name.isPresent()
                            ? named(ec2, name)
                            : unnamed(ec2, id + " has no tag " + CLUSTER_TAG),
                    failure ->
                        Ec2Condition.UNAUTHORIZED.is(failure)
                            ? unnamed(ec2, failure.detail())
                            : CallResult.failed(failure)));
  }

  private CompletionStage<CallResult<Discovered>> named(Ec2Accounts ec2, Optional<String> name) {
    LOG.info("The cluster name was read from the instance's tags. cluster={}", name.orElseThrow());
    return CallResult.answered(new Discovered(ec2, name.orElseThrow()));
  }

  private CompletionStage<CallResult<Discovered>> unnamed(Ec2Accounts ec2, String why) {
    if (otherwise.isEmpty()) {
      LOG.warn(
          "cluster-name is unset or 'default', which names no cluster: orphaned interfaces are not"
              + " deleted. Set cluster-name. cause={}",
          why);
      notices.report(CoreError.CLUSTER_UNNAMED, why);
    }
    return CallResult.answered(new Discovered(ec2, otherwise));
  }

  // ----

  private Ec2Connection open(String region) {
    Ec2Connection opened = opener.apply(region);
    LOG.info("Requests to EC2 start. region={}", region);
    synchronized (lock) {
      if (!shutdown.isCancelled()) {
        connection = opened;
        place.opened(region, opened);
        return opened;
      }
    }
    opened.close();
    throw new IllegalStateException("opened after the end");
  }

  /** Ends the connection; what is under way fails. Idempotent. */
  @Override
  public void close() {
    shutdown.cancel();
    @Nullable Ec2Connection open;
    synchronized (lock) {
      open = connection;
      connection = null;
    }
    if (open != null) {
      open.close();
    }
  }
}
