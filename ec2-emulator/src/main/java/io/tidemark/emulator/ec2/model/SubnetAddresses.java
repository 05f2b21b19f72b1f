package io.tidemark.emulator.ec2.model;

import io.tidemark.emulator.kit.time.Ledger;
import io.tidemark.ip.AddressBitmap;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.CidrSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.Ipv4Address;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;

/**
 * The holders of the IPv4 addresses of one subnet. Five addresses are never assigned: the first
 * four and the last ("Subnet CIDR blocks", Amazon VPC User Guide). A prefix is a free aligned /28,
 * so scattered single addresses can leave many free addresses and no prefix.
 *
 * <p>Whoever names no address gets none of a CIDR reservation; whoever names no prefix gets one of
 * a reservation for prefixes first ("Subnet CIDR reservations", Amazon VPC User Guide). Not
 * thread-safe.
 */
public final class SubnetAddresses {
  /** Length of a delegated IPv4 prefix. */
  public static final int PREFIX_LENGTH = 28;

  private static final int RESERVED_FIRST = 4;
  private static final int PREFIX_EXPONENT = 32 - PREFIX_LENGTH;

  /** The state of an address. */
  public enum State {
    FREE,
    TAKEN,
    RESERVED,
    OUTSIDE
  }

  /** Which free address is chosen if the request names none. */
  public enum Choice {
    /** The lowest, which keeps the subnet whole and every run easy to read. */
    LOWEST,
    /** Anywhere, by the seed: what fragments a subnet in the field. */
    SCATTERED
  }

  private final Cidr block;
  private final Ledger ledger;
  private final Choice choice;
  private final SplittableRandom random;

  /** Free addresses. */
  private final AddressBitmap free;

  /** Free and outside of every CIDR reservation. */
  private final AddressBitmap open;

  /** Free and inside of a CIDR reservation for prefixes. */
  private final AddressBitmap kept;

  private final Map<Ipv4Address, String> singles = new HashMap<>();
  private final Map<Cidr, String> prefixes = new HashMap<>();
  private CidrSet reservations = CidrSet.of();
  private CidrSet prefixReservations = CidrSet.of();

  SubnetAddresses(Cidr block, Ledger ledger, Choice choice, SplittableRandom random) {
    this.block = block;
    this.ledger = ledger;
    this.choice = choice;
    this.random = random;
    this.free = AddressBitmap.over(block);
    free.allocateRange(0, RESERVED_FIRST);
    free.allocate(free.capacity() - 1);
    this.open = free.copy();
    this.kept = AddressBitmap.over(block);
    kept.allocateRange(0, kept.capacity());
  }

  /** The value of AvailableIpAddressCount; CIDR reservations do not lower it. */
  public int available() {
    return free.freeCount();
  }

  /** Aligned /28 blocks without a used address: the prefixes that can be assigned. */
  public int freePrefixes() {
    return free.countFreeBlocks(PREFIX_EXPONENT);
  }

  /** Whether no address of this subnet is used. */
  public boolean isUnused() {
    return singles.isEmpty() && prefixes.isEmpty();
  }

  public State state(IpAddress address) {
    if (!block.contains(address)) {
      return State.OUTSIDE;
    }
    int position = position(address);
    if (position < RESERVED_FIRST || position == free.capacity() - 1) {
      return State.RESERVED;
    }
    return free.isFree(position) ? State.FREE : State.TAKEN;
  }

  /** The interface that has this address as a single one; empty when none has. */
  public Optional<String> holder(Ipv4Address address) {
    return Optional.ofNullable(singles.get(address));
  }

  /** Takes an address of the emulator's choice; empty when none is open. */
  public Optional<Ipv4Address> take(String interfaceId) {
    OptionalInt position = open.nextFreeCyclic(start());
    if (position.isEmpty()) {
      return Optional.empty();
    }
    Ipv4Address address = (Ipv4Address) block.address(position.getAsInt());
    return take(address, interfaceId) ? Optional.of(address) : Optional.empty();
  }

  /** As {@link #take(String)}, but none of {@code spared}. */
  public Optional<Ipv4Address> take(String interfaceId, CidrSet spared) {
    List<Ipv4Address> passedOver = new ArrayList<>();
    Optional<Ipv4Address> taken = take(interfaceId);
    while (taken.filter(spared::contains).isPresent()) {
      passedOver.add(taken.get());
      taken = take(interfaceId);
    }
    passedOver.forEach(this::give);
    return taken;
  }

  /** Takes this address; false when it is not free. */
  public boolean take(Ipv4Address address, String interfaceId) {
    if (state(address) != State.FREE) {
      return false;
    }
    mark(position(address), 1);
    singles.put(address, interfaceId);
    ledger.note(() -> singles.remove(address));
    return true;
  }

  /** Gives a single address back. */
  public void give(Ipv4Address address) {
    String holder = singles.remove(address);
    if (holder == null) {
      throw new IllegalStateException(address + " of " + block + " is not taken");
    }
    ledger.note(() -> singles.put(address, holder));
    unmark(position(address), 1);
  }

  /** Takes a /28 of the emulator's choice; empty when no aligned one is wholly free. */
  public Optional<Cidr> takePrefix(String interfaceId) {
    OptionalInt found = kept.nextFreeBlock(PREFIX_EXPONENT, 0);
    if (found.isEmpty()) {
      found = open.nextFreeBlock(PREFIX_EXPONENT, start());
    }
    if (found.isEmpty()) {
      found = open.nextFreeBlock(PREFIX_EXPONENT, 0);
    }
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Cidr prefix = Cidr.of(block.address(found.getAsInt()), PREFIX_LENGTH);
    return takePrefix(prefix, interfaceId) ? Optional.of(prefix) : Optional.empty();
  }

  /** As {@link #takePrefix(String)}, but none that overlaps with {@code spared}. */
  public Optional<Cidr> takePrefix(String interfaceId, CidrSet spared) {
    List<Cidr> passedOver = new ArrayList<>();
    Optional<Cidr> taken = takePrefix(interfaceId);
    while (taken.filter(spared::overlaps).isPresent()) {
      passedOver.add(taken.get());
      taken = takePrefix(interfaceId);
    }
    passedOver.forEach(this::givePrefix);
    return taken;
  }

  /** Takes this /28; false unless all of it is in the subnet and free. */
  public boolean takePrefix(Cidr prefix, String interfaceId) {
    int size = 1 << PREFIX_EXPONENT;
    if (!block.contains(prefix) || free.countFree(position(prefix.first()), size) != size) {
      return false;
    }
    mark(position(prefix.first()), size);
    prefixes.put(prefix, interfaceId);
    ledger.note(() -> prefixes.remove(prefix));
    return true;
  }

  /** Gives a prefix back. */
  public void givePrefix(Cidr prefix) {
    String holder = prefixes.remove(prefix);
    if (holder == null) {
      throw new IllegalStateException(prefix + " of " + block + " is not taken");
    }
    ledger.note(() -> prefixes.put(prefix, holder));
    unmark(position(prefix.first()), 1 << PREFIX_EXPONENT);
  }

  /**
   * Excludes a part of the subnet from automatic assignment, or reserves it for prefixes; assigned
   * addresses are kept.
   */
  void reserve(Cidr part, boolean forPrefixes) {
    reservations = reservations.plus(part);
    prefixReservations = forPrefixes ? prefixReservations.plus(part) : prefixReservations;
    sort(part);
    ledger.note(() -> lift(part));
  }

  /** Opens a reserved part to automatic assignment again. */
  void unreserve(Cidr part) {
    boolean forPrefixes = prefixReservations.contains(part);
    lift(part);
    ledger.note(
        () -> {
          reservations = reservations.plus(part);
          prefixReservations = forPrefixes ? prefixReservations.plus(part) : prefixReservations;
          sort(part);
        });
  }

  private void lift(Cidr part) {
    reservations = reservations.minus(part);
    prefixReservations = prefixReservations.minus(part);
    sort(part);
  }

  /** Puts every free address of a part where the reservations want it. */
  private void sort(Cidr part) {
    int from = position(part.first());
    for (int position = from; position < from + part.sizeSaturated(); position++) {
      open.allocate(position);
      kept.allocate(position);
      if (free.isFree(position)) {
        open(position);
      }
    }
  }

  private void mark(int position, int count) {
    taken(position, count);
    ledger.note(() -> given(position, count));
  }

  private void unmark(int position, int count) {
    given(position, count);
    ledger.note(() -> taken(position, count));
  }

  private void taken(int from, int count) {
    free.allocateRange(from, count);
    for (int position = from; position < from + count; position++) {
      open.allocate(position);
      kept.allocate(position);
    }
  }

  private void given(int from, int count) {
    free.freeRange(from, count);
    for (int position = from; position < from + count; position++) {
      open(position);
    }
  }

  private void open(int position) {
    IpAddress address = block.address(position);
    if (!reservations.contains(address)) {
      open.free(position);
    } else if (prefixReservations.contains(address)) {
      kept.free(position);
    }
  }

  private int start() {
    return choice == Choice.LOWEST ? 0 : random.nextInt(free.capacity());
  }

  private int position(IpAddress address) {
    return (int) block.indexOf(address);
  }

  @Override
  public String toString() {
    return block + ", " + free;
  }
}
