package io.tidemark.emulator.arm.model;

import io.tidemark.emulator.arm.network.ArmSubnet;
import io.tidemark.emulator.arm.network.SubnetAddresses;
import io.tidemark.emulator.arm.request.Refusal;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.util.Optional;

/** Addresses that a client names ("Common deployment errors"). */
final class StaticAddresses {
  private StaticAddresses() {}

  /** Takes this address of a subnet, or refuses it with the reason that Azure names. */
  static IpAddress taken(ArmSubnet subnet, String text) {
    IpAddress address =
        IpAddress.tryParse(text)
            .orElseThrow(
                () -> refusal("InvalidRequestFormat", "'" + text + "' is not an IP address."));
    SubnetAddresses addresses = subnet.addresses();
    Optional<Cidr> prefix = addresses.prefixOf(address);
    if (prefix.isEmpty()) {
      throw refusal(
          "PrivateIPAddressNotInSubnet",
          "Private static IP address "
              + address
              + " does not belong to the range of subnet "
              + subnet.id()
              + ".");
    }
    if (addresses.isReserved(address)) {
      throw refusal(
          "PrivateIPAddressInReservedRange",
          "Private static IP address "
              + address
              + " falls within the reserved range of subnet prefix "
              + prefix.get()
              + ".");
    }
    if (!addresses.take(address)) {
      throw refusal(
          "PrivateIPAddressIsAllocated",
          "Private static IP address " + address + " is already allocated to another resource.");
    }
    return address;
  }

  private static Refusal refusal(String code, String message) {
    return Refusal.of(400, code, message);
  }
}
