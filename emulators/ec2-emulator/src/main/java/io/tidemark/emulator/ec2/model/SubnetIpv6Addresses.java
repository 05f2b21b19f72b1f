package io.tidemark.emulator.ec2.model;

import io.tidemark.emulator.kit.time.Ledger;
import io.tidemark.ip.AddressBitmap;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.CidrSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.Ipv6Address;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The holders of the IPv6 addresses of one subnet, a /64. The first four addresses and the last are
 * never assigned ("Subnet CIDR blocks", Amazon VPC User Guide); a prefix is a /80 without a used
 * address. Not thread-safe.
 */
public final class SubnetIpv6Addresses implements AddressBooks {
  /** Length of a delegated IPv6 prefix. */
  public static final int PREFIX_LENGTH = 80;

  private static final int PREFIXES = 1 << 16;
  private static final int RESERVED_FIRST = 4;
  private static final int TRIES = 1000;

  private final Cidr block;
  private final Ledger ledger;
  private final SplittableRandom random;

  /** One position for each /80; free when it is no prefix and holds no address. */
  private final AddressBitmap blocks = AddressBitmap.ofCapacity(PREFIXES);

  private final Set<IpAddress> singles = new HashSet<>();
  private final Set<Cidr> prefixes = new HashSet<>();
  private final Map<Integer, Integer> singlesIn = new HashMap<>();

  SubnetIpv6Addresses(Cidr block, Ledger ledger, SplittableRandom random) {
    this.block = block;
    this.ledger = ledger;
    this.random = random;
    blocks.allocate(0);
    blocks.allocate(PREFIXES - 1);
    singlesIn.put(0, 1);
    singlesIn.put(PREFIXES - 1, 1);
  }

  public boolean isUnused() {
    return singles.isEmpty() && prefixes.isEmpty();
  }

  @Override
  public Ec2SubnetAddresses.State state(IpAddress address) {
    if (!block.contains(address)) {
      return Ec2SubnetAddresses.State.OUTSIDE;
    }
    Ipv6Address ipv6 = (Ipv6Address) address;
    if (Long.compareUnsigned(ipv6.low(), RESERVED_FIRST) < 0 || ipv6.low() == -1L) {
      return Ec2SubnetAddresses.State.RESERVED;
    }
    return singles.contains(ipv6) || prefixes.contains(Cidr.containing(ipv6, PREFIX_LENGTH))
        ? Ec2SubnetAddresses.State.TAKEN
        : Ec2SubnetAddresses.State.FREE;
  }

  /** Scattered by the seed. */
  @Override
  public Optional<Ipv6Address> take(String interfaceId, CidrSet spared) {
    long high = ((Ipv6Address) block.first()).high();
    for (int i = 0; i < TRIES; i++) {
      Ipv6Address address = new Ipv6Address(high, random.nextLong());
      if (!spared.contains(address) && take(address, interfaceId)) {
        return Optional.of(address);
      }
    }
    return Optional.empty();
  }

  @Override
  public boolean take(IpAddress address, String interfaceId) {
    if (state(address) != Ec2SubnetAddresses.State.FREE) {
      return false;
    }
    add(address);
    ledger.note(() -> remove(address));
    return true;
  }

  @Override
  public void give(IpAddress address) {
    remove(address);
    ledger.note(() -> add(address));
  }

  /** The lowest that is free. */
  @Override
  public Optional<Cidr> takePrefix(String interfaceId, CidrSet spared) {
    OptionalInt index = blocks.nextFree(0);
    while (index.isPresent()) {
      Cidr prefix = block.subnet(PREFIX_LENGTH, index.getAsInt());
      if (!spared.overlaps(prefix)) {
        return takePrefix(prefix, interfaceId) ? Optional.of(prefix) : Optional.empty();
      }
      index =
          index.getAsInt() + 1 < PREFIXES
              ? blocks.nextFree(index.getAsInt() + 1)
              : OptionalInt.empty();
    }
    return Optional.empty();
  }

  @Override
  public boolean takePrefix(Cidr prefix, String interfaceId) {
    if (!block.contains(prefix) || !blocks.allocate(index(prefix.first()))) {
      return false;
    }
    prefixes.add(prefix);
    ledger.note(() -> removePrefix(prefix));
    return true;
  }

  @Override
  public void givePrefix(Cidr prefix) {
    removePrefix(prefix);
    ledger.note(
        () -> {
          blocks.allocate(index(prefix.first()));
          prefixes.add(prefix);
        });
  }

  private void removePrefix(Cidr prefix) {
    prefixes.remove(prefix);
    blocks.free(index(prefix.first()));
  }

  private void add(IpAddress address) {
    singles.add(address);
    if (singlesIn.merge(index(address), 1, Integer::sum) == 1) {
      blocks.allocate(index(address));
    }
  }

  private void remove(IpAddress address) {
    singles.remove(address);
    if (singlesIn.merge(index(address), -1, Integer::sum) == 0) {
      blocks.free(index(address));
    }
  }

  private static int index(IpAddress address) {
    return (int) (((Ipv6Address) address).low() >>> 48);
  }
}
