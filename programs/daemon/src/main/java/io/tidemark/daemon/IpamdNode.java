package io.tidemark.daemon;

import io.tidemark.daemon.ipamd.CniBackend;
import io.tidemark.daemon.ipamd.IpamdInterfacesJson;
import io.tidemark.daemon.ipamd.NodeFacts;
import io.tidemark.daemon.ipamd.grpc.IpamdServer;
import io.tidemark.daemon.ipamd.introspection.Introspection;
import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.DataStore;
import io.tidemark.datastore.RecoveryOutcome;
import io.tidemark.datastore.RecoveryReport;
import io.tidemark.datastore.RecoveryRules;
import io.tidemark.datastore.StoreRefusal;
import io.tidemark.datastore.checkpoint.CheckpointEntry;
import io.tidemark.datastore.checkpoint.CheckpointFile;
import io.tidemark.error.IpamException;
import io.tidemark.file.DiskFiles;
import io.tidemark.file.FileErrorText;
import io.tidemark.program.endpoint.Metering;
import io.tidemark.time.PooledEffectRunner;
import io.tidemark.time.SystemTime;
import io.tidemark.time.ThreadTaskScheduler;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node whose pods get addresses through the plugin of the VPC CNI, until it is closed. */
final class IpamdNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(IpamdNode.class);

  /** Writes of one file follow each other. */
  private static final int WRITERS = 1;

  private static final int WRITES_WAITING = 16;
  private static final int REQUESTS_WAITING = 64;

  /** The network card that pods get addresses of. */
  static final int CARD = 0;

  /** Behind the name of the checkpoint. */
  private static final String LOCK = ".lock";

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  private final List<String> places = new ArrayList<>();
  private String endpoints = "";

  private IpamdNode() {}

  /**
   * Reads the interfaces and the checkpoint, and serves. Blocks on the file system and on EC2.
   *
   * @param interfaces the file that has them; empty to ask EC2
   * @throws IpamException when one of them is refused, or it cannot listen
   */
  static IpamdNode start(IpamdConfig config, Optional<Path> interfaces)
      throws InterruptedException {
    IpamdNode node = new IpamdNode();
    boolean started = false;
    try {
      node.open(config, interfaces);
      started = true;
      return node;
    } finally {
      if (!started) {
        node.close();
      }
    }
  }

  private void open(IpamdConfig config, Optional<Path> interfaces) throws InterruptedException {
    // Two daemons on one checkpoint would give the same addresses twice.
    Path checkpoint = config.checkpoint();
    Path lock = checkpoint.resolveSibling(checkpoint.getFileName() + LOCK);
    with(StateLock.require(lock, checkpoint, DaemonError.CHECKPOINT_IN_USE, "ipamd"));
    ThreadTaskScheduler scheduler = with(ThreadTaskScheduler.start("timer", SystemTime.instance()));
    CheckpointFile file = new CheckpointFile(checkpoint, new DiskFiles());
    PooledEffectRunner writes =
        with(new PooledEffectRunner("write", WRITERS, WRITES_WAITING, scheduler));
    Metering metering = with(Metering.ofNode(config.http().metering()));
    String boot = BootId.read();
    CheckpointFile.Read read = read(file, config);
    CloudPool cloud =
        interfaces.isPresent()
            ? null
            : with(new CloudPool(config, scheduler, workers("ec2", scheduler)));
    CidrKind mode = cloud == null ? config.mode() : cloud.mode(config.mode());
    DataStore store =
        DataStore.durable(scheduler.time(), mode, config.cooldown(), writes, file, boot);
    store.measure(CARD, metering.meters());
    interfaces.ifPresent(path -> IpamdInterfacesJson.addTo(store, path));
    IpamdHttp http = http(config, store, cloud, metering);
    if (cloud == null) {
      store.growable(false);
    } else {
      cloud.fill(store, workers("hook", scheduler), metering.meters());
    }
    recover(store, read, boot, config);
    if (cloud != null) {
      cloud.start();
    }
    CniBackend backend =
        new CniBackend(
            store,
            config.family(),
            config.versions(),
            cloud == null ? config.routing() : cloud.routing(config.routing()),
            cloud == null ? NodeFacts.UNKNOWN : cloud.facts(),
            scheduler,
            cloud == null ? CniBackend.Pool.FIXED : cloud);
    IpamdServer server =
        with(IpamdServer.start(config.listening(), backend, scheduler, metering.meters()));
    http.serves(server, backend);
    config.listening().socket().ifPresent(socket -> places.add(socket.toString()));
    server.port().ifPresent(port -> places.add("127.0.0.1:" + port));
    endpoints = http.places();
  }

  private IpamdHttp http(
      IpamdConfig config, DataStore store, @Nullable CloudPool cloud, Metering metering) {
    Optional<String> never =
        cloud == null
            ? Optional.of("the interfaces are those of a file; none are added or given back")
            : Optional.empty();
    return with(
        new IpamdHttp(
            config.http(),
            metering,
            Introspection.documents(
                store,
                config.family(),
                never,
                cloud == null ? Optional::empty : cloud::status,
                config.ofAddresses(),
                config.ofHostNetwork())));
  }

  private PooledEffectRunner workers(String name, ThreadTaskScheduler scheduler) {
    return with(new PooledEffectRunner(name, CloudPool.WORKERS, REQUESTS_WAITING, scheduler));
  }

  String places() {
    return String.join(" and ", places) + "; " + endpoints;
  }

  private static CheckpointFile.Read read(CheckpointFile file, IpamdConfig config) {
    try {
      CheckpointFile.Read read = file.read(config.loss());
      if (read instanceof CheckpointFile.Read.Refused refused) {
        throw refused(StoreRefusal.unreadable(refused));
      }
      return read;
    } catch (IOException e) {
      throw new IpamException(
          DaemonError.STATE_UNREADABLE,
          config.checkpoint() + " cannot be read: " + FileErrorText.of(e),
          e);
    }
  }

  private static void recover(
      DataStore store, CheckpointFile.Read read, String boot, IpamdConfig config)
      throws InterruptedException {
    if (read instanceof CheckpointFile.Read.Previous previous) {
      LOG.warn("The checkpoint is damaged: {}. The one before it is used.", previous.problem());
    }
    Predicate<CheckpointEntry> alive =
        config.checkLinks() ? LivePods.withLinkIn(LivePods.LINKS) : pod -> true;
    RecoveryRules noted =
        RecoveryRules.of(config.family())
            .withPhase(config.recovery().phase())
            .withBoot(boot)
            .withBootAge(BootId.age())
            .withGrace(config.recovery().grace())
            .withAlive(alive);
    RecoveryRules rules = config.recovery().coolUnnoted() ? noted.coolingUnnoted(read) : noted;
    try {
      RecoveryOutcome outcome = store.recover(read.data(), rules).toCompletableFuture().get();
      if (outcome instanceof RecoveryOutcome.Failed failed) {
        throw refused(failed.refusal());
      }
      RecoveryReport report = ((RecoveryOutcome.Recovered) outcome).report();
      LOG.info(
          "Recovered. assignments={} orphans={} duplicates={} ended={} cooling={} rebooted={}",
          report.restored(),
          report.orphans(),
          report.duplicates(),
          report.stale().size(),
          report.cooling(),
          report.rebooted());
      for (CheckpointEntry each : report.stale()) {
        LOG.warn(
            "The pod {}/{} has ended without a DEL here; rules of the host may still name its"
                + " address.",
            each.metadata().podNamespace(),
            each.metadata().podName());
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("recovery never ends exceptionally", e);
    }
  }

  private static IpamException refused(StoreRefusal refusal) {
    return new IpamException(refusal.code(), refusal.detail());
  }

  private <T extends AutoCloseable> T with(T part) {
    parts.push(part);
    return part;
  }

  /** Ends what was begun, the last first. Idempotent. */
  @Override
  public void close() {
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (Exception e) {
        LOG.warn("A part does not end", e);
      }
    }
  }
}
