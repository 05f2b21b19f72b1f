package io.tidemark.daemon.cni;

import io.tidemark.agent.Ipam;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.multipool.CidrMemory;
import io.tidemark.agent.multipool.RememberedCidr;
import io.tidemark.agent.restore.Restoration;
import io.tidemark.daemon.DaemonError;
import io.tidemark.daemon.cni.AgentState.Cooling;
import io.tidemark.daemon.cni.Attachment.Address;
import io.tidemark.error.IpamException;
import io.tidemark.file.AtomicFile;
import io.tidemark.file.Commit;
import io.tidemark.file.GroupCommit;
import io.tidemark.ip.IpAddress;
import io.tidemark.metrics.Meters;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.TaskScheduler;
import io.tidemark.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts what answers CNI requests on a node with blocks of its own: the file, then the gateways,
 * then the attachments that survived, then the addresses for health checks, then requests (AM21).
 */
public final class CniStartup {
  private static final Logger LOG = LoggerFactory.getLogger(CniStartup.class);

  /** Some hundred bytes an attachment, and a node has some hundred of them. */
  private static final int STATE_BYTES_MAX = 64 << 20;

  private final Executor lane;
  private final TaskScheduler scheduler;
  private final EffectRunner effects;
  private final String node;

  /**
   * Parts of the program.
   *
   * @param lane runs one task at a time, in order
   * @param effects writes the file
   * @param node its name
   */
  public CniStartup(Executor lane, TaskScheduler scheduler, EffectRunner effects, String node) {
    this.lane = lane;
    this.scheduler = scheduler;
    this.effects = effects;
    this.node = node;
  }

  /**
   * How requests are answered.
   *
   * @param networks of the node
   * @param pool where their addresses are
   * @param health whether the node has addresses for health checks
   * @param addWait how long an ADD waits for a free address
   * @param pause of a released address, which goes on over a restart
   * @param needed the pool without whose addresses STATUS fails; {@link PoolName#NOT_GIVEN} for
   *     none
   * @param memory takes what keeps the blocks of pools, before anything is restored
   */
  public record Service(
      NodeNetworks networks,
      PoolName pool,
      ResultForm.Prefix prefix,
      GatewayChoice gateway,
      boolean health,
      Duration addWait,
      Duration pause,
      PoolName needed,
      Consumer<CidrMemory> memory) {}

  /**
   * The handler of requests.
   *
   * @param pools to be called before the first request, once pools of CIDRs have addresses: the
   *     addresses for health checks are taken then. Does nothing on a node without such pools
   */
  public record Started(CniHandler handler, Runnable pools) {}

  /**
   * The blocks of pools that the process before kept; empty without such a record. Blocks on the
   * file system.
   *
   * @throws IpamException with {@code STATE_UNREADABLE}
   */
  public static Optional<List<RememberedCidr>> remembered(AtomicFile file) {
    return read(file, "").cidrs();
  }

  /**
   * Reads the file in this thread and allocates what it has. Blocks on the file system.
   *
   * @param ipam of the node, with nothing allocated
   * @param meters what requests count in
   * @param boot which start of the machine this is
   * @return ends when requests can be answered; exceptionally with {@code STATE_UNWRITABLE}
   * @throws IpamException with {@code STATE_UNREADABLE}
   */
  public CompletionStage<Started> start(
      AtomicFile file, String boot, Ipam ipam, Meters meters, Service service) {
    AgentState state = read(file, boot).in(boot, scheduler.time().epochMillis());
    GroupCommit<StateChange> commits =
        new GroupCommit<>(
            effects,
            new EffectSite("agent state", node),
            scheduler.time(),
            file,
            new CommittedState(state, service.pause(), scheduler.time()));
    service.memory().accept(cidrs -> kept(commits.submit(new StateChange.Cidrs(cidrs))));
    Restoration restoration = new Restoration(ipam, service.pool());
    Gateways gateways = new Gateways(ipam, service.networks(), service.gateway());
    gateways.restore(state.routers(), service.pool(), inUse(state), restoration);
    restore(state.attachments(), restoration);
    cool(state.cooling(), ipam);
    HealthAddresses health =
        new HealthAddresses(ipam, service.pool(), service.networks(), restoration);
    boolean later =
        service.health() && service.networks().change() == NodeNetworks.Change.COME_AND_GO;
    List<IpAddress> noted = service.health() ? state.health() : List.of();
    if (later) {
      health.restore(noted);
    }
    List<IpAddress> taken = service.health() && !later ? health.take(noted) : noted;
    restoration.finished();
    Attachments attachments =
        new Attachments(
            lane,
            scheduler,
            ipam,
            commits,
            gateways,
            state.attachments(),
            service.addWait(),
            meters);
    ResultForm form =
        new ResultForm(service.prefix(), service.gateway(), service.networks(), gateways::ips);
    CniHandler handler =
        new CniHandler(
            attachments, form, service.pool(), service.needed(), meters, scheduler.time());
    note(taken, commits);
    Runnable pools = later ? () -> note(health.take(noted), commits) : () -> {};
    return commits
        .submit(new StateChange.Routers(gateways.all()))
        .thenApply(
            commit -> {
              if (commit instanceof Commit.Failed failed) {
                throw new IpamException(DaemonError.STATE_UNWRITABLE, failed.reason());
              }
              return new Started(handler, pools);
            });
  }

  private static void note(List<IpAddress> health, GroupCommit<StateChange> commits) {
    commits.submit(new StateChange.Health(health));
  }

  private static AgentState read(AtomicFile file, String boot) {
    try {
      file.sweep();
      Optional<byte[]> content = file.read(STATE_BYTES_MAX);
      return content.isEmpty() ? AgentState.empty(boot) : AgentStateJson.read(content.get());
    } catch (IOException | AgentStateJson.Unreadable e) {
      throw new IpamException(
          DaemonError.STATE_UNREADABLE, file.path() + " cannot be read: " + e.getMessage(), e);
    }
  }

  private static List<IpAddress> inUse(AgentState state) {
    return state.attachments().stream().flatMap(it -> it.ips().stream()).toList();
  }

  private static CompletionStage<Optional<String>> kept(CompletionStage<Commit> end) {
    return end.thenApply(
        commit ->
            commit instanceof Commit.Failed failed
                ? Optional.of(failed.reason())
                : Optional.empty());
  }

  private static void restore(List<Attachment> attachments, Restoration restoration) {
    for (Attachment each : attachments) {
      for (Address address : each.addresses()) {
        restoration.known(each.owner(), address.ip(), address.pool());
      }
    }
    LOG.info("Restored. attachments={}", attachments.size());
  }

  /** The pauses go on; after the clock was set back, an address pauses anew. */
  private void cool(List<Cooling> cooling, Ipam ipam) {
    long now = scheduler.time().epochMillis();
    for (Cooling each : cooling) {
      ipam.cool(
          each.address().ip(),
          each.address().pool(),
          Duration.ofMillis(Math.max(0, now - each.epochMillis())));
    }
  }

  /** The {@link AgentState} that is on disk. Called by one thread at a time. */
  private static final class CommittedState implements GroupCommit.Ledger<StateChange> {
    private final Duration pause;
    private final TimeSource time;
    private AgentState committed;

    CommittedState(AgentState committed, Duration pause, TimeSource time) {
      this.committed = committed;
      this.pause = pause;
      this.time = time;
    }

    @Override
    public byte[] contentWith(List<StateChange> changes) {
      return AgentStateJson.print(next(changes));
    }

    @Override
    public void committed(List<StateChange> changes) {
      committed = next(changes);
    }

    private AgentState next(List<StateChange> changes) {
      return committed.with(changes).withoutCooled(time.epochMillis() - pause.toMillis() + 1);
    }
  }
}
