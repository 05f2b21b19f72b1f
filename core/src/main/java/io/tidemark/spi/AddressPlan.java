package io.tidemark.spi;

import java.util.Objects;
import java.util.OptionalInt;

/**
 * How many IPv4 addresses an allocation adds. All numbers count addresses; blocks round {@code
 * wanted} up, singles match it exactly, and neither exceeds {@code ceiling}: if no whole block fits
 * below it, singles are used (node-manager 0 N1).
 *
 * @param roomOnInterface provider: room on the chosen interface, already limited by the pool
 * @param wanted core: needed + max-above-watermark + surge; 0 in the provider's plan
 * @param ceiling core: the maximum to add; empty for no limit
 * @param blockSize provider: addresses per block, 1 for singles
 * @param interfaceCandidates provider: attached interfaces with room
 */
public record AddressPlan(
    int roomOnInterface, int wanted, OptionalInt ceiling, int blockSize, int interfaceCandidates) {
  public AddressPlan {
    Objects.requireNonNull(ceiling, "ceiling");
    if (blockSize < 1) {
      throw new IllegalArgumentException("blockSize is " + blockSize + "; expected 1 or more");
    }
  }

  /** The same plan with core's numbers. */
  public AddressPlan wanting(int addresses, OptionalInt limit) {
    return new AddressPlan(roomOnInterface, addresses, limit, blockSize, interfaceCandidates);
  }

  /** Whole blocks that satisfy {@code wanted} without passing {@code ceiling}; 0 = use singles. */
  public int blocks() {
    int blocks = (wanted + blockSize - 1) / blockSize;
    return ceiling.isPresent() ? Math.min(blocks, ceiling.getAsInt() / blockSize) : blocks;
  }

  /** Singles that satisfy {@code wanted} without passing {@code ceiling}. */
  public int singles() {
    return ceiling.isPresent() ? Math.min(wanted, ceiling.getAsInt()) : wanted;
  }
}
