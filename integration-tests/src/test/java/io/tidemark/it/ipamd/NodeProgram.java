package io.tidemark.it.ipamd;

import io.tidemark.daemon.ipamd.cloud.Ec2Interfaces;
import io.tidemark.daemon.ipamd.cloud.HookHostNetwork;
import io.tidemark.daemon.ipamd.cloud.PreparedInterfaces;
import io.tidemark.daemon.ipamd.cloud.StoreFilling;
import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.CooldownRule;
import io.tidemark.datastore.DataStore;
import io.tidemark.datastore.MultiCardStore;
import io.tidemark.datastore.RecoveryRules;
import io.tidemark.datastore.checkpoint.CheckpointData;
import io.tidemark.datastore.checkpoint.CheckpointFile;
import io.tidemark.datastore.cloud.CheckedCloud;
import io.tidemark.datastore.cloud.PoolReconciler;
import io.tidemark.datastore.cloud.PoolTargets;
import io.tidemark.datastore.plan.PoolLimits;
import io.tidemark.datastore.plan.Profile;
import io.tidemark.datastore.plan.WarmTargets;
import io.tidemark.file.CrashingFiles;
import io.tidemark.ip.IpFamily;
import io.tidemark.metrics.Meters;
import io.tidemark.provider.aws.eni.InstanceInterfaces;
import io.tidemark.provider.aws.metadata.InstanceInterface;
import io.tidemark.provider.aws.simulation.InstanceEc2;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.CloudCallsConfig;
import io.tidemark.resilience.Fence;
import io.tidemark.resilience.LearnedRates;
import io.tidemark.resilience.StandardCloudCallsFactory;
import io.tidemark.time.EffectModel;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.VirtualProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** One run of the node's program, put together as {@code ipamd} is on an instance of EC2. */
final class NodeProgram {
  /** How long the start waits for EC2 before it goes on by the metadata. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private static final int WORKERS = 4;

  final VirtualProcess process;
  final DataStore store;
  final CheckedCloud client;
  final PoolReconciler loop;
  private final CrashingFiles files;
  private final InstanceInterfaces ec2;
  private final List<InstanceInterface> metadata;
  private boolean recovering;
  private boolean withoutEc2;

  /** The settings that stay the same over restarts. */
  record Setting(CidrKind mode, WarmTargets warm, CooldownRule cooldown) {}

  /**
   * A program that has not begun.
   *
   * @param metadata the interfaces as the metadata service shows them at the start
   */
  NodeProgram(
      VirtualProcess process,
      Setting setting,
      CrashingFiles files,
      InstanceEc2 cloud,
      List<InstanceInterface> metadata,
      EffectModel network,
      HookHostNetwork.Hook hook,
      RandomGenerator random) {
    this.process = process;
    this.files = files;
    this.metadata = metadata;
    EffectRunner effects = process.effects(network);
    this.store =
        DataStore.durable(
            process.time(), setting.mode(), setting.cooldown(), effects, file(), "boot-1");
    this.ec2 =
        cloud.program(
            process,
            new StandardCloudCallsFactory(
                CloudCallsConfig.defaults().withWorkers(WORKERS),
                process,
                effects,
                random,
                Meters.none(),
                LearnedRates.NONE,
                Fence.OPEN),
            new Cancellation());
    HookHostNetwork host =
        new HookHostNetwork(
            hook,
            effects,
            process,
            random,
            subnet -> ec2.subnetCidr(subnet).thenApply(CallResult::answer));
    this.client =
        new CheckedCloud(
            new PreparedInterfaces(
                new Ec2Interfaces(ec2), host, attached -> StoreFilling.settle(store, attached)),
            process.time());
    this.loop =
        new PoolReconciler(
            new MultiCardStore(Map.of(0, store)),
            client,
            new PoolTargets(IpFamily.IPV4, setting.warm(), this::limits, Profile.TIDEMARK),
            process,
            random);
    host.whenReady(loop::prepared);
  }

  private CheckpointFile file() {
    return new CheckpointFile(Path.of("/run/ipam.json"), files);
  }

  private Optional<PoolLimits> limits() {
    return ec2.limits()
        .map(type -> PoolLimits.of(type.ipv4PerInterface() - 1, type.interfacesOnCard0()));
  }

  /** Reads EC2, or else the metadata, and the checkpoint, and begins to look. */
  void start() {
    loop.fill().thenAccept(this::recover);
    process.after(PATIENCE, () -> recover(false));
  }

  private void recover(boolean read) {
    if (recovering) {
      return;
    }
    recovering = true;
    withoutEc2 = !read;
    if (withoutEc2) {
      StoreFilling.byMetadata(store, new CallResult.Answered<>(metadata));
    }
    store
        .recover(inFile(), RecoveryRules.of(IpFamily.IPV4).withBoot("boot-1"))
        .thenAccept(outcome -> loop.start());
  }

  /** Whether it has begun without an answer of EC2. */
  boolean beganWithoutEc2() {
    return withoutEc2;
  }

  private CheckpointData inFile() {
    try {
      return file().read(CheckpointFile.DataLoss.REFUSED)
              instanceof CheckpointFile.Read.Current current
          ? current.data()
          : CheckpointData.EMPTY;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
