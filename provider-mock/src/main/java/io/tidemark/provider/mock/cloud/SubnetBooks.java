package io.tidemark.provider.mock.cloud;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.AddressSpace;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The addresses of one subnet. As in EC2 the first four and the last one are never given out. Takes
 * all or nothing. Not thread-safe.
 */
final class SubnetBooks {
  static final int BLOCK_LENGTH = 28;

  private final Subnet subnet;
  private final AddressSpace space;

  SubnetBooks(Subnet subnet) {
    this.subnet = subnet;
    this.space = AddressSpace.builder(subnet.cidr()).reserveFirst(4).reserveLast(1).build();
  }

  Subnet subnet() {
    return subnet;
  }

  int free() {
    return space.freeCount();
  }

  SubnetView view() {
    return new SubnetView(subnet, free(), space.freeBlocks(BLOCK_LENGTH));
  }

  /** The lowest free addresses, 1 or more. */
  AddressSet takeSingles(int count) throws CloudException {
    if (space.freeCount() < count) {
      throw new CloudException(
          CloudErrorCode.INSUFFICIENT_FREE_ADDRESSES,
          "The specified subnet does not have enough free addresses to satisfy the request.");
    }
    return space.allocate(count);
  }

  /** The lowest free aligned blocks, 1 or more. */
  List<Cidr> takeBlocks(int count) throws CloudException {
    List<Cidr> taken = new ArrayList<>(count);
    while (taken.size() < count) {
      Optional<Cidr> block = space.allocateBlock(BLOCK_LENGTH);
      if (block.isEmpty()) {
        taken.forEach(space::freeBlock);
        throw new CloudException(
            CloudErrorCode.INSUFFICIENT_CIDR_BLOCKS,
            "The specified subnet does not have enough free cidr blocks to satisfy the request");
      }
      taken.add(block.get());
    }
    return taken;
  }

  /** Whether nobody holds this address and it can be given out. */
  boolean isFree(IpAddress address) {
    return space.state(address) == AddressSpace.State.FREE;
  }

  /** Takes this address; false when it is held, reserved or outside. */
  boolean take(IpAddress address) {
    return space.allocate(address);
  }

  /** Takes this block; false when a part of it is held, reserved or outside. */
  boolean take(Cidr block) {
    return space.allocateBlock(block);
  }

  void give(AddressSet singles) {
    for (IpAddress address : singles) {
      require(space.free(address), address);
    }
  }

  void give(List<Cidr> blocks) {
    for (Cidr block : blocks) {
      require(space.freeBlock(block), block);
    }
  }

  private void require(boolean held, Object what) {
    if (!held) {
      throw new IllegalStateException(what + " of " + subnet.id() + " was not held");
    }
  }
}
