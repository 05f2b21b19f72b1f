package io.tidemark.nodeid.local;

import io.tidemark.config.SharedKey.Profile;
import io.tidemark.error.IpamException;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.InterfaceAddress;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFormatException;
import io.tidemark.nodeid.NodeId;
import io.tidemark.nodeid.NodeIdError;
import io.tidemark.nodeid.NodeIdSubnets;
import io.tidemark.nodeid.SubnetPlan;
import io.tidemark.nodeid.claim.FlatJson;
import io.tidemark.nodeid.claim.IdAgreement;
import io.tidemark.nodeid.local.NodeIpamEvent.PodCidrChange;
import io.tidemark.nodeid.local.PodAllocation.Refused;
import io.tidemark.time.TimeSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The IPAM of one node with the operations of Contiv's: addresses of nodes, subnets of this and of
 * other nodes, addresses of pods. Before the first {@link #resync} every operation but {@link
 * #handlesEvent} and {@link #update} throws {@link IllegalStateException}. One that takes an id
 * throws {@link IpamException} when no node can have it; one about the pod subnet of this node does
 * so with {@link NodeIdError#AWAITING_POD_CIDR} while that is not known.
 *
 * <p>Thread-safe. What follows from the id is read without a lock; addresses of pods and a resync
 * take one short lock, so an allocation sees either the state before a resync or that after it. A
 * resync that fails changes nothing.
 *
 * <p>With an external IPAM the pod subnet is the pod CIDR of the Node object, and a CNI IPAM plugin
 * chooses the addresses. Until the object has one, pods get none; in the reference profile the
 * subnet that follows from the id is used meanwhile, as in Contiv.
 */
public final class NodeLocalIpam {
  private final String node;
  private final NodeIdSubnets subnets;
  private final PodRules rules;
  private final TimeSource time;

  private final Object lock = new Object();
  private volatile @Nullable Network network;
  private volatile @Nullable Refused withheld;

  /** Under the lock; null until the pod subnet is known. */
  private @Nullable PodAddresses pods;

  /** The network of the id; its pod subnet does not count while the node {@code awaits} one. */
  private record Network(SubnetPlan plan, boolean awaits) {}

  /** The IPAM of the node with an object of this name, whose id is not known yet. */
  public NodeLocalIpam(String node, NodeIdSubnets subnets, PodRules rules, TimeSource time) {
    this.node = node;
    this.subnets = subnets;
    this.rules = rules;
    this.time = time;
  }

  // ---- events

  /** Whether {@link #resync} or {@link #update} must be called for an event. */
  public boolean handlesEvent(NodeIpamEvent event) {
    return !(event instanceof NodeIpamEvent.NodeUpdate update)
        || (rules.external() && update.node().equals(node));
  }

  /** The change that follows from an update of a Node object: only when the CIDR is another one. */
  public Optional<PodCidrChange> update(NodeIpamEvent.NodeUpdate update) {
    return handlesEvent(update)
        ? update
            .after()
            .filter(after -> !isSame(update.before().orElse(""), after))
            .map(PodCidrChange::new)
        : Optional.empty();
  }

  /**
   * Computes every subnet anew and takes over the pods that Kubernetes lists. A pod that it lists
   * keeps the address that it has here, one that it does not list loses it.
   *
   * @param id the id of this node
   * @param count how many resyncs there were, with this one; a later one counts only after a
   *     failure, or when the pod CIDR changed
   * @throws IpamException when no subnets follow from the id or the pod CIDR; nothing changed then
   */
  public ResyncReport resync(NodeIpamEvent.Resync event, NodeId id, KubeState state, int count) {
    if (count > 1 && event instanceof NodeIpamEvent.StartupResync) {
      return ResyncReport.NONE;
    }
    SubnetPlan ofId = subnets.plan(id);
    Optional<Cidr> podCidr =
        rules.external() ? state.podCidr().map(this::podCidr) : Optional.empty();
    boolean ofOwn = !rules.external() || subnets.ranges().profile() == Profile.REFERENCE;
    synchronized (lock) {
      // A pod CIDR never goes away: an object that lacks it now is a late or a partial view.
      Optional<Cidr> known =
          rules.external() ? Optional.ofNullable(pods).map(PodAddresses::subnet) : Optional.empty();
      Optional<SubnetPlan> next =
          podCidr
              .or(() -> known)
              .map(ofId::withPodSubnet)
              .or(() -> ofOwn ? Optional.of(ofId) : Optional.empty());
      network = new Network(next.orElse(ofId), next.isEmpty());
      if (next.isEmpty()) {
        return new ResyncReport(true, 0, List.of());
      }
      PodAddresses current = addresses(next.get().podSubnet());
      List<ResyncReport.Conflict> conflicts = current.adopt(state.pods(), time.nanos());
      return new ResyncReport(true, current.size(), conflicts);
    }
  }

  private Cidr podCidr(String text) {
    try {
      Cidr cidr = Cidr.parseLenient(text);
      if (SubnetPlan.hasRoom(cidr)) {
        return cidr;
      }
      throw refused(text, "it has no address for a pod");
    } catch (IpFormatException e) {
      throw refused(text, e.reason());
    }
  }

  /** Compared as CIDRs, since a text may be written in several ways. */
  private static boolean isSame(String one, String other) {
    try {
      return Cidr.parseLenient(one).equals(Cidr.parseLenient(other));
    } catch (IpFormatException e) {
      return one.equals(other);
    }
  }

  private IpamException refused(String text, String why) {
    return new IpamException(
        NodeIdError.EXTERNAL_RESULT_REFUSED,
        "pod CIDR '" + text + "' of node " + node + " is refused: " + why);
  }

  private PodAddresses addresses(Cidr podSubnet) {
    @Nullable PodAddresses current = pods;
    if (current == null || !current.subnet().equals(podSubnet)) {
      current = new PodAddresses(podSubnet, rules.external(), rules.cooldown());
      pods = current;
    }
    return current;
  }

  /** Hands out no new address while the node's mirror, claim and memory of its id disagree. */
  public void agreement(IdAgreement now) {
    withheld = now instanceof IdAgreement.Withheld it ? new Refused(it.code(), it.detail()) : null;
  }

  // ---- what follows from ids

  /** The address of the main interface of any node; empty where it comes by DHCP. */
  public Optional<InterfaceAddress> nodeIpAddress(NodeId id) {
    requirePlan();
    return subnets.nodeAddress(id);
  }

  /** The address of the VXLAN interface of any node. */
  public InterfaceAddress vxlanIpAddress(NodeId id) {
    requirePlan();
    return subnets.overlayAddress(id);
  }

  /** The end of the link to the host that the switch has. */
  public IpAddress hostInterconnectIpInVpp() {
    return requirePlan().linkSwitchEnd();
  }

  /** The end of the link to the switch that the host has. */
  public IpAddress hostInterconnectIpInLinux() {
    return requirePlan().linkHostEnd();
  }

  public Cidr hostInterconnectSubnetThisNode() {
    return requirePlan().linkSubnet();
  }

  public Cidr hostInterconnectSubnetAllNodes() {
    requirePlan();
    return subnets.ranges().links();
  }

  public Cidr hostInterconnectSubnetOtherNode(NodeId id) {
    requirePlan();
    return subnets.linkSubnet(id);
  }

  public Cidr podSubnetAllNodes() {
    requirePlan();
    return subnets.ranges().pods();
  }

  public Cidr podSubnetThisNode() {
    return requirePods().podSubnet();
  }

  /**
   * The pod subnet that follows from the id of another node; empty with an external IPAM, where it
   * does not follow from the id.
   */
  public Optional<Cidr> podSubnetOtherNode(NodeId id) {
    requirePlan();
    return rules.external() ? Optional.empty() : Optional.of(subnets.podSubnet(id));
  }

  public Cidr serviceNetwork() {
    requirePlan();
    return subnets.ranges().services();
  }

  public IpAddress podGatewayIp() {
    return requirePods().gateway();
  }

  /** The source of a pod of this node that reaches itself through a service. */
  public IpAddress natLoopbackIp() {
    return requirePods().natLoopback();
  }

  // ---- addresses of pods

  /**
   * Gives a pod an address, or records the one that an external IPAM gave it. A pod that has one
   * keeps it.
   *
   * @param ipamType the external IPAM plugin, for messages; not read otherwise
   * @param ipamData its result, an IP configuration of CNI as JSON; not read without such a plugin
   */
  public PodAllocation allocatePodIp(PodId pod, String ipamType, String ipamData) {
    requirePlan();
    @Nullable Refused refused = withheld;
    if (refused != null) {
      return podIp(pod)
          .<PodAllocation>map(known -> new PodAllocation.Allocated(known.address()))
          .orElse(refused);
    }
    @Nullable IpAddress given = null;
    if (rules.external()) {
      try {
        given = cniAddress(ipamData);
      } catch (IllegalArgumentException e) {
        return new Refused(
            NodeIdError.EXTERNAL_RESULT_REFUSED,
            "the result of " + ipamType + " for pod " + pod + " is refused: " + e.getMessage());
      }
    }
    synchronized (lock) {
      if (pods == null) {
        return new Refused(NodeIdError.AWAITING_POD_CIDR, awaiting());
      }
      return given == null
          ? pods.allocate(pod, time.nanos())
          : pods.record(pod, given, rules.members());
    }
  }

  /** The address of an IP configuration of CNI, such as {@code {"address":"10.1.5.7/24"}}. */
  private static IpAddress cniAddress(String data) {
    String text = FlatJson.read(data).getOrDefault("address", "");
    if (text.isEmpty()) {
      throw new IllegalArgumentException("it has no address");
    }
    return InterfaceAddress.parse(text).address().unmapped();
  }

  /**
   * Records the address of the pod subnet that a pod has since before a restart; false, and nothing
   * changes, when the pod has another one, or the address is reserved or another pod's.
   */
  public boolean restorePodIp(PodId pod, IpAddress address) {
    requirePlan();
    synchronized (lock) {
      return pods != null && pods.subnet().contains(address) && pods.adopt(pod, address).isEmpty();
    }
  }

  /** The address of a pod as a single one, /32 or /128; empty when it has none. */
  public Optional<InterfaceAddress> podIp(PodId pod) {
    requirePlan();
    synchronized (lock) {
      return Optional.ofNullable(pods)
          .flatMap(known -> known.address(pod))
          .map(address -> new InterfaceAddress(address, address.family().bits()));
    }
  }

  /** Takes the address of a pod back; false when it has none, which is no failure. */
  public boolean releasePodIp(PodId pod) {
    requirePlan();
    synchronized (lock) {
      return pods != null && pods.release(pod, time.nanos());
    }
  }

  /** How full the pool is; empty while the pod subnet is not known, and with an external IPAM. */
  public Optional<PodAddressPool.Stats> stats() {
    requirePlan();
    synchronized (lock) {
      return rules.external()
          ? Optional.empty()
          : Optional.ofNullable(pods).map(PodAddresses::stats);
    }
  }

  private Network requireNetwork() {
    @Nullable Network known = network;
    if (known == null) {
      throw new IllegalStateException("not initialised: there was no resync yet");
    }
    return known;
  }

  private SubnetPlan requirePlan() {
    return requireNetwork().plan();
  }

  private SubnetPlan requirePods() {
    Network known = requireNetwork();
    if (known.awaits()) {
      throw new IpamException(NodeIdError.AWAITING_POD_CIDR, awaiting());
    }
    return known.plan();
  }

  private String awaiting() {
    return "node " + node + " has no pod CIDR yet";
  }
}
