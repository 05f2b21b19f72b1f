package io.tidemark.emulator.ec2.model;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.CidrSet;
import io.tidemark.ip.IpAddress;
import java.util.Optional;

/** The holders of the addresses of one family in one subnet. Not thread-safe. */
interface AddressBooks {
  Ec2SubnetAddresses.State state(IpAddress address);

  /** Takes an address of the emulator's choice, none of {@code spared}; empty when none is open. */
  Optional<? extends IpAddress> take(String interfaceId, CidrSet spared);

  /** Takes this address; false when it is not free. */
  boolean take(IpAddress address, String interfaceId);

  /** Gives a single address back. */
  void give(IpAddress address);

  /** Takes a prefix of the emulator's choice that does not overlap with {@code spared}. */
  Optional<Cidr> takePrefix(String interfaceId, CidrSet spared);

  /** Takes this prefix; false unless all of it is in the subnet and free. */
  boolean takePrefix(Cidr prefix, String interfaceId);

  /** Gives a prefix back. */
  void givePrefix(Cidr prefix);
}
