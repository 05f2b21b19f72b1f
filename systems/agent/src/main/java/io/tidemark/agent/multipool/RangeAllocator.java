package io.tidemark.agent.multipool;

import io.tidemark.agent.Allocator;
import io.tidemark.agent.Denial;
import io.tidemark.agent.InterfaceDetails;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.hostscope.HostRange;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.ip.RoomOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of all blocks that a {@link CidrStates} has taken up, block after block. Handed out
 * are those of the fullest block that is drawn from, so that others become empty and can be given
 * back; of equally full ones, the first in the operator's order. Any other address can be allocated
 * by itself.
 *
 * <p>Handing one out takes constant time. Not thread-safe, as every {@link Allocator}.
 */
final class RangeAllocator implements Allocator {
  private static final int NAMED_MAX = 4;

  private final PoolName pool;
  private final IpFamily family;
  private final long seed;
  private final HostRange[] ranges;

  private final Map<Cidr, Integer> numbers = new HashMap<>();

  private final RangeIndex index;
  private final @Nullable RoomOrder order;
  private CidrStates states;
  private Optional<Map<Cidr, InterfaceDetails>> interfaces;
  private int free;

  static RangeAllocator empty(PoolName pool, IpFamily family, long seed, CidrStates states) {
    return new RangeAllocator(pool, family, seed, states, Optional.empty(), Map.of());
  }

  private RangeAllocator(
      PoolName pool,
      IpFamily family,
      long seed,
      CidrStates states,
      Optional<Map<Cidr, InterfaceDetails>> interfaces,
      Map<Cidr, HostRange> present) {
    this.interfaces = interfaces;
    this.pool = pool;
    this.family = family;
    this.seed = seed;
    this.states = states;
    List<CidrEntry> entries = states.entries();
    int count = entries.size();
    ranges = new HostRange[count];
    int widest = 1;
    for (int i = 0; i < count; i++) {
      CidrEntry entry = entries.get(i);
      HostRange range = present.get(entry.cidr());
      ranges[i] = range == null ? range(entry) : range;
      numbers.put(entry.cidr(), i);
      widest = Math.max(widest, ranges[i].capacity());
    }
    index = new RangeIndex(family, ranges);
    order = count == 0 ? null : new RoomOrder(count, widest);
    noteAll();
  }

  private HostRange range(CidrEntry entry) {
    return HostRange.of(entry.cidr(), entry.edges().first(), entry.edges().last(), seed);
  }

  CidrStates states() {
    return states;
  }

  /**
   * The addresses of other states; what is taken stays so in the blocks that both have.
   *
   * @param nextInterfaces see {@link OfferedCidrs#interfaces}
   */
  RangeAllocator with(CidrStates next, Optional<Map<Cidr, InterfaceDetails>> nextInterfaces) {
    if (sameRanges(next)) {
      states = next;
      interfaces = nextInterfaces;
      noteAll();
      return this;
    }
    Map<Cidr, HostRange> present = new HashMap<>();
    for (CidrEntry entry : next.entries()) {
      int range = range(entry.cidr());
      if (range >= 0 && states.entries().get(range).edges().equals(entry.edges())) {
        present.put(entry.cidr(), ranges[range]);
      }
    }
    return new RangeAllocator(pool, family, seed, next, nextInterfaces, present);
  }

  /** The addresses of the same states, none of them taken. */
  RangeAllocator rebuilt() {
    return new RangeAllocator(pool, family, seed, states, interfaces, Map.of());
  }

  private boolean sameRanges(CidrStates next) {
    List<CidrEntry> entries = next.entries();
    if (entries.size() != ranges.length) {
      return false;
    }
    for (int i = 0; i < ranges.length; i++) {
      CidrEntry present = states.entries().get(i);
      CidrEntry entry = entries.get(i);
      if (!present.cidr().equals(entry.cidr()) || !present.edges().equals(entry.edges())) {
        return false;
      }
    }
    return true;
  }

  // ---- ranges

  /** The number of the range of a block; -1 when it has none. */
  int range(Cidr cidr) {
    return numbers.getOrDefault(cidr, -1);
  }

  /** How many of a block's taken addresses are such as {@code counts} says. */
  int countTaken(Cidr cidr, Predicate<IpAddress> counts) {
    int range = range(cidr);
    int count = 0;
    int at = range < 0 ? -1 : ranges[range].nextTaken(0);
    while (at >= 0) {
      count += counts.test(ranges[range].address(at)) ? 1 : 0;
      at = at + 1 < ranges[range].capacity() ? ranges[range].nextTaken(at + 1) : -1;
    }
    return count;
  }

  /** Free addresses of a range, whether it is drawn from or not. */
  int freeIn(int range) {
    return ranges[range].freeCount();
  }

  int freeIn(Cidr cidr) {
    int range = range(cidr);
    return range < 0 ? 0 : freeIn(range);
  }

  /** Whether the free addresses of a range are really handed out. */
  boolean isReachable(int range) {
    return order != null && order.free(range) == ranges[range].freeCount();
  }

  /** Whether the interface of a block is known and here, where blocks belong to interfaces. */
  boolean hasInterface(CidrEntry entry) {
    return interfaces.isEmpty() || interfaces.get().containsKey(entry.cidr());
  }

  private void noteAll() {
    for (int i = 0; i < ranges.length; i++) {
      note(i);
    }
  }

  /** Notes how many addresses of a range can be handed out now. */
  private void note(int range) {
    RoomOrder all = order;
    if (all != null) {
      CidrEntry entry = states.entries().get(range);
      int room = entry.isDrawn() && hasInterface(entry) ? ranges[range].freeCount() : 0;
      free += room - all.free(range);
      all.setFree(range, room);
    }
  }

  // ---- addresses

  @Override
  public IpFamily family() {
    return family;
  }

  @Override
  public int capacity() {
    return index.capacity();
  }

  @Override
  public int freeCount() {
    return free;
  }

  @Override
  public int position(IpAddress ip) {
    return index.position(ip);
  }

  @Override
  public IpAddress address(int position) {
    return index.address(position);
  }

  @Override
  public Denial refusal(IpAddress ip) {
    Denial notReady = unable();
    return notReady == null ? Denial.notInRange(ip, origin()) : notReady;
  }

  /** A pool without addresses is as one that the node does not have. */
  @Override
  public @Nullable Denial unable() {
    return ranges.length == 0 ? Denial.poolNotReady(pool, family) : null;
  }

  /** An address that is not handed out can be restored, but no new owner gets it. */
  @Override
  public @Nullable Denial withheld(int position, String owner) {
    CidrEntry entry = states.entries().get(index.rangeOf(position));
    if (!hasInterface(entry)) {
      return Denial.interfaceUnknown(address(position), "of " + entry.cidr());
    }
    return entry.isDrawn() ? null : Denial.notAvailableInPool(address(position));
  }

  @Override
  public Optional<InterfaceDetails> details(int position) {
    Cidr cidr = states.entries().get(index.rangeOf(position)).cidr();
    return interfaces.flatMap(all -> Optional.ofNullable(all.get(cidr)));
  }

  @Override
  public boolean take(int position) {
    int range = index.rangeOf(position);
    boolean taken = ranges[range].take(position - index.firstPosition(range));
    note(range);
    return taken;
  }

  @Override
  public int takeNext() {
    int range = order == null ? -1 : order.fullest();
    if (range < 0) {
      return -1;
    }
    int position = ranges[range].takeNext();
    note(range);
    return index.firstPosition(range) + position;
  }

  @Override
  public void free(int position) {
    int range = index.rangeOf(position);
    ranges[range].free(position - index.firstPosition(range));
    note(range);
  }

  @Override
  public String origin() {
    StringBuilder text = new StringBuilder();
    int named = Math.min(ranges.length, NAMED_MAX);
    for (int i = 0; i < named; i++) {
      text.append(i == 0 ? "" : ", ").append(ranges[i].origin());
    }
    return named == ranges.length
        ? text.toString()
        : text.append(" and ").append(ranges.length - named).append(" more").toString();
  }
}
