package io.tidemark.emulator.arm.network;

/** How reads show a block of addresses. */
public enum BlockForm {
  /** {@code 10.0.0.16/28} and the length. */
  CIDR,
  /** {@code 10.0.0.16} and the length. */
  ADDRESS_AND_LENGTH,
  /** {@code 10.0.0.21} and the length: an address of the block. */
  HOST_BITS
}
