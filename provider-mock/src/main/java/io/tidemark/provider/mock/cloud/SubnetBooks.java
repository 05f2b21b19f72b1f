package io.tidemark.provider.mock.cloud;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.AddressSpace;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.provider.mock.cloud.CloudException.Code;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** The addresses of one subnet, without the first four and the last one. Not thread-safe. */
record SubnetBooks(MockSubnet subnet, AddressSpace space) {
  private static final int BLOCK = 28;

  /** All addresses are free. */
  SubnetBooks(MockSubnet subnet) {
    this(subnet, AddressSpace.of(subnet.cidr(), 4, 1));
  }

  Pool<MockSubnet> pool() {
    PoolId id = new PoolId(subnet.id());
    OptionalInt blocks = OptionalInt.of(space.freeBlocks(BLOCK));
    return new Pool<>(id, subnet.zone(), subnet, true, space.freeCount(), blocks, false, false);
  }

  /** Takes the lowest free aligned blocks, then the lowest free addresses; all or nothing. */
  AttachedInterface take(InterfaceId id, int singles, int blocks) throws CloudException {
    int freeBlocks = blocks == 0 ? 0 : space.freeBlocks(BLOCK);
    CloudException.throwIf(
        freeBlocks < blocks,
        Code.INSUFFICIENT_CIDR_BLOCKS,
        subnet.id() + " has " + freeBlocks + " of " + blocks + " free /28 blocks");
    int free = space.freeCount() - blocks * Pool.BLOCK_SIZE;
    CloudException.throwIf(
        free < singles,
        Code.INSUFFICIENT_FREE_ADDRESSES,
        subnet.id() + " has " + free + " of " + singles + " free addresses");
    List<Cidr> taken =
        Stream.generate(() -> space.allocateBlock(BLOCK).orElseThrow()).limit(blocks).toList();
    return new AttachedInterface(id, space.allocate(singles), taken);
  }

  /** Takes exactly these addresses, or nothing; returns one that is not free. */
  Optional<IpAddress> take(AddressSet wanted) {
    for (IpAddress each : wanted) {
      if (!space.allocate(each)) {
        give(wanted.first(wanted.indexOf(each)), List.of());
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  void give(AddressSet singles, List<Cidr> blocks) {
    boolean held = singles.toList().stream().allMatch(space::free);
    if (!(blocks.stream().allMatch(space::freeBlock) && held)) {
      throw new IllegalStateException(singles + " or " + blocks + " of " + subnet + " were free");
    }
  }
}
