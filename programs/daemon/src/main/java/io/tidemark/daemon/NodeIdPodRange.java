package io.tidemark.daemon;

import io.tidemark.agent.Allocator;
import io.tidemark.agent.Denial;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.nodeid.claim.IdAgreement;
import io.tidemark.nodeid.local.NodeLocalIpam;
import io.tidemark.nodeid.local.PodAllocation;
import io.tidemark.nodeid.local.PodId;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The pod subnet of a {@link NodeLocalIpam}: its gateway, which only {@link #take} takes, and the
 * addresses that it gives to pods. An attachment is a pod of its own there, because a pod can have
 * several. Not thread-safe but for {@link #agreement}, as every {@link Allocator}.
 */
final class NodeIdPodRange implements Allocator {
  /** Of the largest subnet: the states of its addresses are kept by position. */
  static final int HOST_BITS_MAX = 24;

  private static final int GATEWAY = 0;

  /** Network, NAT loopback and broadcast have no position. */
  private static final int WITHOUT_POSITION = 3;

  private final NodeLocalIpam ipam;
  private final Cidr subnet;
  private final IpAddress first;
  private final IpAddress last;
  private final Map<Integer, PodId> pods = new HashMap<>();
  private boolean gatewayTaken;
  private long made;
  private volatile @Nullable Denial withheld;

  /** Of an IPAM that knows its subnet and has no pods. */
  NodeIdPodRange(NodeLocalIpam ipam) {
    this.ipam = ipam;
    this.subnet = ipam.podSubnetThisNode();
    this.first = ipam.podGatewayIp();
    this.last = ipam.natLoopbackIp().plus(-1);
  }

  Cidr subnet() {
    return subnet;
  }

  /** From now on new addresses are handed out, or not; any thread. */
  void agreement(IdAgreement now) {
    ipam.agreement(now);
    withheld = now instanceof IdAgreement.Withheld it ? new Denial(it.code(), it.detail()) : null;
  }

  @Override
  public IpFamily family() {
    return subnet.family();
  }

  @Override
  public int capacity() {
    return (int) subnet.sizeSaturated() - WITHOUT_POSITION;
  }

  @Override
  public int freeCount() {
    return withheld == null ? (int) ipam.stats().orElseThrow().free() : 0;
  }

  @Override
  public int position(IpAddress ip) {
    return ip.compareTo(first) < 0 || ip.compareTo(last) > 0 ? -1 : (int) ip.offsetFrom(first);
  }

  @Override
  public IpAddress address(int position) {
    return first.plus(position);
  }

  @Override
  public Denial refusal(IpAddress ip) {
    return Denial.notInRange(ip, origin());
  }

  @Override
  public @Nullable Denial withheld(int position, String owner) {
    return withheld;
  }

  @Override
  public @Nullable Denial unable() {
    return withheld;
  }

  @Override
  public boolean take(int position) {
    if (position == GATEWAY) {
      boolean free = !gatewayTaken;
      gatewayTaken = true;
      return free;
    }
    PodId pod = attachment();
    boolean taken = ipam.restorePodIp(pod, address(position));
    if (taken) {
      pods.put(position, pod);
    }
    return taken;
  }

  @Override
  public int takeNext() {
    PodId pod = attachment();
    if (ipam.allocatePodIp(pod, "", "") instanceof PodAllocation.Allocated given) {
      int position = position(given.address());
      pods.put(position, pod);
      return position;
    }
    return -1;
  }

  private PodId attachment() {
    return new PodId("", Long.toString(made++));
  }

  @Override
  public void free(int position) {
    if (position == GATEWAY) {
      gatewayTaken = false;
    } else {
      ipam.releasePodIp(Objects.requireNonNull(pods.remove(position)));
    }
  }

  @Override
  public String origin() {
    return subnet.toString();
  }
}
