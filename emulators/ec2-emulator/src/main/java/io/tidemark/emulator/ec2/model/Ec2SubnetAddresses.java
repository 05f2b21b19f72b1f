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
public final class Ec2SubnetAddresses implements AddressBooks {
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

  /** Interfaces by the single address or the prefix that they hold. */
  private final Map<Cidr, String> holders = new HashMap<>();

  private CidrSet reservations = CidrSet.of();
  private CidrSet prefixReservations = CidrSet.of();

  Ec2SubnetAddresses(Cidr block, Ledger ledger, Choice choice, SplittableRandom random) {
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
    return holders.isEmpty();
  }

  @Override
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
  public Optional<String> holder(IpAddress address) {
    return Optional.ofNullable(holders.get(Cidr.single(address)));
  }

  private Optional<Ipv4Address> take(String interfaceId) {
    OptionalInt position = open.nextFreeCyclic(start());
    if (position.isEmpty()) {
      return Optional.empty();
    }
    Ipv4Address address = (Ipv4Address) block.address(position.getAsInt());
    return take(address, interfaceId) ? Optional.of(address) : Optional.empty();
  }

  @Override
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

  @Override
  public boolean take(IpAddress address, String interfaceId) {
    return takePrefix(Cidr.single(address), interfaceId);
  }

  @Override
  public void give(IpAddress address) {
    givePrefix(Cidr.single(address));
  }

  private Optional<Cidr> takePrefix(String interfaceId) {
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

  @Override
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

  @Override
  public boolean takePrefix(Cidr prefix, String interfaceId) {
    int size = (int) prefix.sizeSaturated();
    if (!block.contains(prefix) || free.countFree(position(prefix.first()), size) != size) {
      return false;
    }
    taken(prefix, size);
    holders.put(prefix, interfaceId);
    ledger.note(
        () -> {
          holders.remove(prefix);
          given(prefix, size);
        });
    return true;
  }

  @Override
  public void givePrefix(Cidr prefix) {
    String holder = holders.remove(prefix);
    if (holder == null) {
      throw new IllegalStateException(prefix + " of " + block + " is not taken");
    }
    int size = (int) prefix.sizeSaturated();
    given(prefix, size);
    ledger.note(
        () -> {
          taken(prefix, size);
          holders.put(prefix, holder);
        });
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

  private void taken(Cidr part, int count) {
    int from = position(part.first());
    free.allocateRange(from, count);
    for (int position = from; position < from + count; position++) {
      open.allocate(position);
      kept.allocate(position);
    }
  }

  private void given(Cidr part, int count) {
    int from = position(part.first());
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
