package io.tidemark.daemon.cni;

import io.tidemark.agent.Allocation;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.UpstreamSync;
import io.tidemark.agent.restore.Restoration;
import io.tidemark.daemon.DaemonError;
import io.tidemark.daemon.cni.AgentState.Cooling;
import io.tidemark.daemon.cni.Attachment.Address;
import io.tidemark.error.IpamException;
import io.tidemark.file.AtomicFile;
import io.tidemark.file.Commit;
import io.tidemark.file.GroupCommit;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.metrics.CniMetrics;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.TaskScheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
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

  private static final String ROUTER = "router";
  private static final int GATEWAYS_TRIED_MAX = 1000;

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
   */
  public record Service(
      NodeNetworks networks,
      PoolName pool,
      ResultForm.Prefix prefix,
      GatewayChoice gateway,
      boolean health,
      Duration addWait,
      Duration pause) {}

  /**
   * Reads the file in this thread and allocates what it has. Blocks on the file system.
   *
   * @param ipam of the node, with nothing allocated
   * @param metrics what requests count in
   * @param boot which start of the machine this is
   * @return ends when requests can be answered; exceptionally with {@code STATE_UNWRITABLE}
   * @throws IpamException with {@code STATE_UNREADABLE}
   */
  public CompletionStage<CniHandler> start(
      AtomicFile file, String boot, Ipam ipam, CniMetrics metrics, Service service) {
    AgentState state = read(file, boot).in(boot, scheduler.time().epochMillis());
    List<IpAddress> routers = routers(state, ipam, service);
    Restoration restoration = new Restoration(ipam, service.pool());
    restore(state.attachments(), restoration);
    cool(state.cooling(), ipam);
    List<IpAddress> health =
        service.health()
            ? HealthAddresses.take(state.health(), service.networks(), restoration, ipam)
            : List.of();
    restoration.finished();
    GroupCommit<StateChange> commits =
        new GroupCommit<>(
            effects,
            new EffectSite("agent state", node),
            scheduler.time(),
            file,
            new CommittedState(state, service.pause(), scheduler.time()));
    Attachments attachments =
        new Attachments(
            lane, scheduler, ipam, commits, state.attachments(), service.addWait(), metrics);
    ResultForm form =
        new ResultForm(service.prefix(), service.gateway(), service.networks(), routers);
    CniHandler handler = new CniHandler(attachments, form, metrics, scheduler.time());
    Object unused = commits.submit(new StateChange.Health(health));
    return commits
        .submit(new StateChange.Routers(routers))
        .thenApply(
            commit -> {
              if (commit instanceof Commit.Failed failed) {
                throw new IpamException(DaemonError.STATE_UNWRITABLE, failed.reason());
              }
              return handler;
            });
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

  /** Takes the gateways that pods have, or the first free addresses for new ones. */
  private static List<IpAddress> routers(AgentState state, Ipam ipam, Service service) {
    List<IpAddress> routers = new ArrayList<>();
    if (service.gateway() != GatewayChoice.ROUTER) {
      return routers;
    }
    List<IpAddress> inUse = state.attachments().stream().flatMap(it -> it.ips().stream()).toList();
    for (Cidr network : service.networks().cidrs()) {
      Optional<IpAddress> former = state.routers().stream().filter(network::contains).findFirst();
      Optional<IpAddress> router =
          former.isPresent()
              ? former.filter(ip -> isGranted(ipam.restore(ip, ROUTER, service.pool())))
              : service
                  .networks()
                  .gateways(network)
                  .filter(ip -> !inUse.contains(ip))
                  .limit(GATEWAYS_TRIED_MAX)
                  .filter(ip -> isGranted(allocate(ipam, ip, service.pool())))
                  .findFirst();
      router.ifPresentOrElse(
          routers::add, () -> LOG.warn("No address is free for a gateway. network={}", network));
    }
    return routers;
  }

  private static Allocation allocate(Ipam ipam, IpAddress ip, PoolName pool) {
    return ipam.allocate(ip, ROUTER, pool, UpstreamSync.DEFER);
  }

  private static boolean isGranted(Allocation end) {
    return end instanceof Allocation.Granted;
  }

  private static void restore(List<Attachment> attachments, Restoration restoration) {
    for (Attachment each : attachments) {
      for (Address address : each.addresses()) {
        Object unused = restoration.known(each.owner(), address.ip(), address.pool());
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
}
