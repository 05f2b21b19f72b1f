package io.tidemark.daemon;

import io.tidemark.daemon.ipamd.CniBackend;
import io.tidemark.daemon.ipamd.NodeFacts;
import io.tidemark.daemon.ipamd.VpcRouting;
import io.tidemark.daemon.ipamd.cloud.Ec2Interfaces;
import io.tidemark.daemon.ipamd.cloud.HookHostNetwork;
import io.tidemark.daemon.ipamd.cloud.HostNetwork;
import io.tidemark.daemon.ipamd.cloud.PreparedInterfaces;
import io.tidemark.daemon.ipamd.cloud.StoreFilling;
import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.DataStore;
import io.tidemark.datastore.DatastoreError;
import io.tidemark.datastore.MultiCardStore;
import io.tidemark.datastore.cloud.PoolReconciler;
import io.tidemark.datastore.cloud.PoolTargets;
import io.tidemark.datastore.plan.PoolLimits;
import io.tidemark.datastore.plan.Profile;
import io.tidemark.demand.DemandWatermarks;
import io.tidemark.error.IpamException;
import io.tidemark.ip.IpFamily;
import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
import io.tidemark.provider.aws.AwsInstance;
import io.tidemark.provider.aws.ec2.InstanceType;
import io.tidemark.provider.aws.eni.InstanceInterfaces;
import io.tidemark.provider.aws.metadata.InstancePlace;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.CloudCallsConfig;
import io.tidemark.resilience.Fence;
import io.tidemark.resilience.LearnedRates;
import io.tidemark.resilience.StandardCloudCallsFactory;
import io.tidemark.spi.OperatorNotices;
import io.tidemark.spi.ProviderContext;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TaskScheduler;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node's interfaces and addresses in EC2, from the start of its daemon to the end
 * (eni-datastore AM12, AM21). EC2 decides what is attached; while it does not answer, what the
 * instance's metadata show serves the pods that have an address, and the others wait.
 */
final class CloudPool implements CniBackend.Pool, AutoCloseable {
  static final int WORKERS = 4;

  /** How long the start waits for EC2 before it goes on by the metadata. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private static final File NOTHING = new File("/dev/null");

  private static final Logger LOG = LoggerFactory.getLogger(CloudPool.class);

  private final IpamdConfig.Pool settings;
  private final IpFamily family;
  private final TaskScheduler scheduler;
  private final SecureRandom random = new SecureRandom();
  private final AwsInstance aws;
  private final InstancePlace place;
  private final InstanceInterfaces ec2;
  private volatile Optional<PoolReconciler> reconciler = Optional.empty();

  /**
   * Finds out which instance this is; blocks.
   *
   * @param requests where requests to EC2 and the metadata service run
   * @throws IpamException when the metadata service does not say
   */
  CloudPool(IpamdConfig config, TaskScheduler scheduler, EffectRunner requests)
      throws InterruptedException {
    this.settings = config.pool();
    this.family = config.family();
    this.scheduler = scheduler;
    this.aws =
        AwsInstance.of(
            new ProviderContext(
                "",
                settings.source(),
                scheduler,
                random,
                new StandardCloudCallsFactory(
                    CloudCallsConfig.defaults().withWorkers(WORKERS),
                    scheduler,
                    requests,
                    random,
                    Meters.none(),
                    LearnedRates.NONE,
                    Fence.OPEN),
                Meters.none(),
                OperatorNotices.NONE),
            WORKERS);
    boolean known = false;
    try {
      this.place =
          ended(aws.place())
              .match(
                  found -> found,
                  failure -> {
                    throw new IpamException(DaemonError.INSTANCE_UNKNOWN, failure.detail());
                  });
      this.ec2 = aws.interfaces(place);
      known = true;
    } finally {
      if (!known) {
        aws.close();
      }
    }
    LOG.info("This is instance {} of type {} in {}.", place.instance(), place.type(), place.zone());
  }

  /**
   * The kind of CIDR from which addresses are assigned: prefixes only where the type of the
   * instance has them.
   *
   * @throws IpamException when the pods' family has no other addresses
   */
  CidrKind mode(CidrKind wanted) {
    Optional<InstanceType> type = ec2.limits();
    if (wanted == CidrKind.SECONDARY || type.isEmpty() || type.get().hasPrefixes()) {
      return wanted;
    }
    String without = "Instances of type " + place.type() + " have no prefixes: ";
    if (family == IpFamily.IPV6) {
      throw new IpamException(
          DatastoreError.FAMILY_NOT_SERVED, without + "they cannot serve IPv6 pods.");
    }
    LOG.warn("{}secondary addresses are assigned.", without);
    return CidrKind.SECONDARY;
  }

  /** The routing in replies to the plugin: it excludes the VPC's CIDRs from SNAT as well. */
  VpcRouting routing(VpcRouting configured) {
    return configured.plus(place.vpcCidrs());
  }

  /** As in the AWS VPC CNI, the node's own address of the pods' family alone. */
  NodeFacts facts() {
    boolean ipv4 = family == IpFamily.IPV4;
    return new NodeFacts(
        ipv4 ? place.ipv4() : "",
        ipv4 ? "" : place.ipv6(),
        place.instance().text(),
        place.region());
  }

  /**
   * Puts what is attached into the store, which is not recovered yet; blocks.
   *
   * @param hooks where the host-network hook runs
   */
  void fill(DataStore store, EffectRunner hooks, Meters meters) throws InterruptedException {
    HostNetwork host = host(hooks);
    PoolReconciler loop =
        new PoolReconciler(
            new MultiCardStore(Map.of(IpamdNode.CARD, store)),
            new PreparedInterfaces(
                new Ec2Interfaces(ec2), host, attached -> StoreFilling.settle(store, attached)),
            new PoolTargets(
                family, settings.warm(), this::limits, Profile.TIDEMARK, settings.demand()),
            scheduler,
            random);
    loop.measure(meters);
    show(Metric.STORE_PLAN_SHORT, it -> Optional.of(it.plan().shortBy()), meters);
    show(Metric.STORE_PLAN_OVER, it -> Optional.of(it.plan().overBy()), meters);
    if (settings.demand().isPresent() && family == IpFamily.IPV4) {
      show(Metric.STORE_SPARE_TARGET, it -> it.spare().map(DemandWatermarks::target), meters);
      show(
          Metric.STORE_LEAD_TIME,
          it -> it.spare().map(spare -> spare.leadTime().toMillis() / 1000.0),
          meters);
    }
    host.whenReady(loop::prepared);
    reconciler = Optional.of(loop);
    if (!read(loop)) {
      LOG.warn(
          "EC2 does not answer: pods that have an address keep it and are served, others wait.");
      StoreFilling.byMetadata(store, ended(aws.interfacesByMetadata()));
    }
  }

  private HostNetwork host(EffectRunner hooks) {
    if (family == IpFamily.IPV6) {
      if (settings.hook().isPresent()) {
        LOG.warn(
            "{} has no effect: IPv6 pods use the primary interface alone.",
            IpamdKey.HOST_NETWORK_HOOK.key());
      }
      return HostNetwork.PRIMARY_ONLY;
    }
    if (settings.hook().isEmpty()) {
      LOG.warn(
          "Pods get addresses of the primary interface alone, because {} is not set: nothing sets"
              + " the host up for others.",
          IpamdKey.HOST_NETWORK_HOOK.key());
      return HostNetwork.PRIMARY_ONLY;
    }
    return new HookHostNetwork(
        environment -> run(settings.hook().get(), environment),
        hooks,
        scheduler,
        random,
        subnet -> ec2.subnetCidr(subnet).thenApply(CallResult::answer));
  }

  /** Runs a hook without the daemon's environment but its PATH. */
  private static int run(Path hook, Map<String, String> environment)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(hook.toString())
            .redirectInput(NOTHING)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().keySet().removeIf(name -> !name.equals("PATH"));
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      return process.waitFor();
    } finally {
      process.destroyForcibly();
    }
  }

  private static boolean read(PoolReconciler loop) throws InterruptedException {
    try {
      return loop.fill().toCompletableFuture().get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a read never ends exceptionally", e);
    }
  }

  /** One interface, while nothing sets the host up for others. */
  private Optional<PoolLimits> limits() {
    return ec2.limits()
        .map(
            type ->
                PoolLimits.of(
                    Math.max(1, type.ipv4PerInterface() - 1), enis(type.interfacesOnCard0())));
  }

  private int enis(int ofType) {
    OptionalInt most = settings.hook().isEmpty() ? OptionalInt.of(1) : settings.maxEni();
    return Math.max(1, Math.min(most.orElse(ofType), ofType));
  }

  private void show(
      Metric metric, Function<PoolReconciler.Status, Optional<? extends Number>> of, Meters to) {
    to.gauge(
        metric, () -> status().<Number>flatMap(of).orElse(0), Integer.toString(IpamdNode.CARD));
  }

  /** The node's shortage or surplus, and why; empty before EC2 has answered. */
  Optional<PoolReconciler.Status> status() {
    return reconciler.flatMap(PoolReconciler::status);
  }

  /** Begins to keep the store at its targets, once it is recovered. */
  void start() {
    reconciler.ifPresent(PoolReconciler::start);
  }

  @Override
  public Optional<String> waits() {
    return reconciler.filter(PoolReconciler::hasReadCloud).isPresent()
        ? prefixMissing().or(this::hookMissing)
        : Optional.of("EC2 has not answered since the start");
  }

  /** Why no IPv6 pod can get an address: the node lacks its prefix. */
  private Optional<String> prefixMissing() {
    return status()
        .filter(status -> family == IpFamily.IPV6 && status.plan().isLow())
        .map(status -> status.problem().orElse("EC2 has not given an IPv6 prefix yet"));
  }

  /** Why no pod can get an address: the host is set up for none of the interfaces. */
  private Optional<String> hookMissing() {
    return status()
        .filter(status -> !status.serves())
        .map(
            status ->
                IpamdKey.HOST_NETWORK_HOOK.key()
                    + " has not succeeded yet for "
                    + String.join(", ", status.plan().pending().enis()));
  }

  @Override
  public void changed() {
    reconciler.ifPresent(PoolReconciler::request);
  }

  private static <T> CallResult<T> ended(CompletionStage<CallResult<T>> stage)
      throws InterruptedException {
    try {
      return stage.toCompletableFuture().get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a request never ends exceptionally", e);
    }
  }

  /** Asks for nothing any more. Idempotent. */
  @Override
  public void close() {
    reconciler.ifPresent(PoolReconciler::close);
    aws.close();
  }
}
