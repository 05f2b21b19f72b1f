package io.tidemark.provider.mock.cloud;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.AddressSpace;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The addresses of one subnet; the first four and the last one are never given out. Takes all or
 * nothing. Not thread-safe.
 */
final class SubnetBooks {
  private static final int BLOCK_LENGTH = 28;
  private static final int RESERVED_FIRST = 4;

  private final MockSubnet subnet;
  private final AddressSpace space;

  SubnetBooks(MockSubnet subnet) {
    this.subnet = subnet;
    this.space = AddressSpace.of(subnet.cidr(), RESERVED_FIRST, 1);
  }

  MockSubnet subnet() {
    return subnet;
  }

  MockSubnet.Room room() {
    return new MockSubnet.Room(subnet, space.freeCount(), space.freeBlocks(BLOCK_LENGTH));
  }

  /** The lowest free addresses, 1 or more. */
  AddressSet takeSingles(int count) throws CloudException {
    if (space.freeCount() < count) {
      throw new CloudException(
          CloudErrorCode.INSUFFICIENT_FREE_ADDRESSES,
          subnet.id() + " has " + space.freeCount() + " of " + count + " free addresses");
    }
    return space.allocate(count);
  }

  /** The lowest free aligned blocks, 0 or more. */
  List<Cidr> takeBlocks(int count) throws CloudException {
    List<Cidr> taken = new ArrayList<>(count);
    while (taken.size() < count) {
      Optional<Cidr> block = space.allocateBlock(BLOCK_LENGTH);
      if (block.isEmpty()) {
        give(AddressSet.of(), taken);
        throw new CloudException(
            CloudErrorCode.INSUFFICIENT_CIDR_BLOCKS,
            subnet.id() + " has " + taken.size() + " of " + count + " free /28 blocks");
      }
      taken.add(block.get());
    }
    return taken;
  }

  /** Takes this address; false when it is held, reserved or outside. */
  boolean take(IpAddress address) {
    return space.allocate(address);
  }

  /** Whether somebody holds the address. */
  boolean isHeld(IpAddress address) {
    return space.isAllocated(address);
  }

  void give(AddressSet singles, List<Cidr> blocks) {
    boolean held = singles.toList().stream().allMatch(space::free);
    if (!(blocks.stream().allMatch(space::freeBlock) && held)) {
      throw new IllegalStateException(singles + " or " + blocks + " of " + subnet + " were free");
    }
  }
}
