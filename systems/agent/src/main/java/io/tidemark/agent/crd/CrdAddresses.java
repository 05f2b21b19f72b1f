package io.tidemark.agent.crd;

import io.tidemark.agent.Allocator;
import io.tidemark.agent.Denial;
import io.tidemark.agent.InterfaceDetails;
import io.tidemark.agent.PoolName;
import io.tidemark.ip.AddressBitmap;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.resource.HandshakeState;
import java.util.BitSet;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of the pool in a node's object, by their index in ascending order; handed out as
 * {@code hostscope.HostRange} does, next fit. Withheld are addresses in the release handshake,
 * those of an interface that is not here, those about which the object contradicts itself, and
 * those that it keeps for one owner.
 *
 * <p>Mutable and not thread-safe, as every {@link Allocator}.
 */
final class CrdAddresses implements Allocator {
  private final String node;
  private final PoolName pool;
  private final long seed;
  private final AddressSet addresses;
  private final AddressBitmap bitmap;
  private final BitSet held = new BitSet();
  private final BitSet withheld = new BitSet();
  private AgentNodeView view;
  private SortedMap<IpAddress, HandshakeState> handshake = Collections.emptySortedMap();
  private boolean available;
  private int cursor;

  CrdAddresses(String node, PoolName pool, AgentNodeView view, long seed) {
    this.node = node;
    this.pool = pool;
    this.seed = seed;
    this.view = view;
    this.addresses = view.addresses();
    this.bitmap = AddressBitmap.ofCapacity(Math.max(1, addresses.size()));
    if (addresses.isEmpty()) {
      bitmap.allocate(0);
    }
  }

  /**
   * The addresses of another version.
   *
   * @param withheldNow addresses in the release handshake
   * @return this, if its addresses are the same; else new ones of which none is taken
   */
  CrdAddresses shown(AgentNodeView next, SortedMap<IpAddress, HandshakeState> withheldNow) {
    CrdAddresses target = this;
    if (!next.addresses().equals(addresses)) {
      target = new CrdAddresses(node, pool, next, seed);
      target.cursor = cursorIn(next.addresses());
    }
    target.view = next;
    target.handshake = withheldNow;
    target.available = true;
    target.withhold();
    return target;
  }

  /** Where handing out goes on: behind the address that was handed out last. */
  private int cursorIn(AddressSet next) {
    if (next.isEmpty()) {
      return 0;
    }
    if (addresses.isEmpty()) {
      return (int) Math.floorMod(seed, (long) next.size());
    }
    int index = cursor < capacity() ? next.indexOf(addresses.at(cursor)) : next.size();
    return index < 0 ? -1 - index : index;
  }

  /** There is no object any more; its addresses stay with those who have them. */
  CrdAddresses gone() {
    available = false;
    return this;
  }

  private void withhold() {
    BitSet before = (BitSet) withheld.clone();
    withheld.clear();
    view.unusableInterfaces().forEach(id -> view.addressesOf(id).forEach(this::withhold));
    view.doubtful().forEach(this::withhold);
    view.reserved().keySet().forEach(this::withhold);
    handshake.keySet().forEach(this::withhold);
    forEach(withheld, before, position -> bitmap.allocate(position));
    forEach(before, withheld, this::free);
  }

  private void withhold(IpAddress ip) {
    int position = position(ip);
    if (position >= 0) {
      withheld.set(position);
    }
  }

  /** Visits what only one has, if nobody holds it. */
  private void forEach(BitSet one, BitSet other, IntConsumer visitor) {
    BitSet visited = (BitSet) one.clone();
    visited.andNot(other);
    visited.andNot(held);
    visited.stream().forEach(visitor);
  }

  @Override
  public IpFamily family() {
    return view.family();
  }

  @Override
  public int capacity() {
    return addresses.size();
  }

  @Override
  public int freeCount() {
    return available ? bitmap.freeCount() : 0;
  }

  @Override
  public int position(IpAddress ip) {
    return Math.max(-1, addresses.indexOf(ip));
  }

  /** For positions in ascending order: mostly few addresses differ. */
  @Override
  public IntUnaryOperator positionsOf(Allocator earlier) {
    AddressCursor here = new AddressCursor(addresses);
    return position -> here.indexOf(earlier.address(position));
  }

  @Override
  public IpAddress address(int position) {
    return addresses.at(position);
  }

  @Override
  public Denial refusal(IpAddress ip) {
    return available ? Denial.notAvailableInPool(ip) : Denial.nodeUnavailable(node);
  }

  @Override
  public @Nullable Denial withheld(int position, String owner) {
    if (!available) {
      return Denial.nodeUnavailable(node);
    }
    if (!withheld.get(position)) {
      return null;
    }
    IpAddress ip = address(position);
    String resource = view.resource(ip);
    HandshakeState state = handshake.get(ip);
    if (state != null) {
      return Denial.inReleaseHandshake(ip, state);
    }
    if (view.unusableInterfaces().contains(resource)) {
      return Denial.interfaceUnknown(ip, resource);
    }
    if (view.doubtful().contains(ip)) {
      return Denial.notAvailableInPool(ip);
    }
    String reservingOwner = view.reserved().getOrDefault(ip, owner);
    return reservingOwner.equals(owner) ? null : Denial.excluded(ip, pool, reservingOwner);
  }

  @Override
  public int reservedFor(String owner) {
    IpAddress ip = view.mode().isCloud() ? null : view.reservedFor(owner);
    return ip == null ? -1 : position(ip);
  }

  @Override
  public Optional<InterfaceDetails> details(int position) {
    return view.details(position);
  }

  @Override
  public @Nullable Denial unable() {
    if (!available) {
      return Denial.nodeUnavailable(node);
    }
    for (String id : view.unusableInterfaces()) {
      for (IpAddress ip : view.addressesOf(id)) {
        if (!held.get(position(ip)) && !handshake.containsKey(ip)) {
          return Denial.interfaceUnknown(ip, id);
        }
      }
    }
    for (IpAddress ip : view.doubtful()) {
      if (!held.get(position(ip)) && !handshake.containsKey(ip)) {
        return Denial.notAvailableInPool(ip);
      }
    }
    return null;
  }

  @Override
  public boolean take(int position) {
    if (held.get(position)) {
      return false;
    }
    held.set(position);
    bitmap.allocate(position);
    return true;
  }

  @Override
  public int takeNext() {
    int position = available ? bitmap.takeNext(cursor) : -1;
    if (position >= 0) {
      cursor = position + 1;
      held.set(position);
    }
    return position;
  }

  @Override
  public void free(int position) {
    held.clear(position);
    if (!withheld.get(position)) {
      bitmap.free(position);
    }
  }

  @Override
  public String origin() {
    return "the pool of node " + node;
  }

  @Override
  public String toString() {
    return origin() + ", " + bitmap;
  }
}
