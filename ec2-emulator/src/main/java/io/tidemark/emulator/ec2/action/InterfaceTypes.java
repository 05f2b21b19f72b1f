package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.AddressRequest;
import io.tidemark.emulator.ec2.model.Ipv6Request;
import io.tidemark.emulator.ec2.model.NetworkInterface;
import io.tidemark.emulator.ec2.protocol.Parameters;
import io.tidemark.emulator.ec2.protocol.Refusal;
import java.util.List;

/** Reads which type an interface is to have, and what that type excludes. */
final class InterfaceTypes {
  private InterfaceTypes() {}

  /**
   * The type that is asked for, {@code interface} when none is.
   *
   * @param types those that the action makes
   * @throws Refusal when it is none of them
   */
  static String read(Parameters parameters, List<String> types) {
    String type = parameters.text("InterfaceType").orElse(types.get(0));
    if (type.equals("branch")) {
      throw Refusal.of(
          "UnsupportedOperation", "The emulator does not support interfaces of type " + type);
    }
    if (!types.contains(type)) {
      throw Values.invalid(
          type, "interfaceType", "It must be one of " + String.join(", ", types) + ".");
    }
    return type;
  }

  /**
   * "Do not assign any IP addresses" is documented for {@code efa-only}.
   *
   * @throws Refusal when addresses are asked for all the same
   */
  static void requireFits(String type, AddressRequest addresses, Ipv6Request ipv6) {
    if (type.equals(NetworkInterface.EFA_ONLY)
        && (addresses.primary().isPresent() || addresses.places() > 0 || ipv6.places() > 0)) {
      throw Refusal.of(
          "InvalidParameterCombination", "EFA-only network interfaces do not support IP addresses");
    }
  }
}
