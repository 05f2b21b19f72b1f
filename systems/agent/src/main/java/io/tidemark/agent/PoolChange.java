package io.tidemark.agent;

import io.tidemark.agent.PoolSnapshot.Held;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How the addresses of one pool change. Called under the lock of the pool, so that no address is
 * handed out meanwhile: a computation alone.
 */
@FunctionalInterface
public interface PoolChange {
  /**
   * Changes the addresses.
   *
   * @param held why an address is not free; null when it is free, or not one of the pool
   * @return the addresses from now on: the allocator that there was, if each address kept its
   *     position, or another one of which nothing is taken but what is held
   */
  Allocator apply(Use held);

  /** Why an address is not free, and how many of the pool are in which state. */
  interface Use extends Function<IpAddress, @Nullable Held> {
    /** Each address counted once. */
    AddressCounts counts();

    /** How many addresses of a block are in use that the allocator does not have. */
    int outsideIn(Cidr block);
  }
}
