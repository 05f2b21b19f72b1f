package io.tidemark.emulator.arm.network;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.util.Optional;

/**
 * One IP configuration with what Azure gave it. Immutable.
 *
 * @param wish what the client sent
 * @param primary whether it is the interface's first address
 * @param range its address or block; empty for IPv6, which is not modelled
 * @param state {@code Succeeded}, {@code Updating} or {@code Failed}
 */
public record Assigned(Configuration wish, boolean primary, Optional<Cidr> range, String state) {
  public String name() {
    return wish.name();
  }

  /** Whether it can stay as it is when the client wants this of it. */
  public boolean suits(Configuration wanted) {
    return wanted.subnet().equals(wish.subnet())
        && wanted.isIpv6() == wish.isIpv6()
        && wanted.isBlock() == wish.isBlock()
        && wanted
            .staticAddress()
            .map(each -> IpAddress.tryParse(each).equals(range.map(Cidr::first)))
            .orElse(true);
  }

  public Assigned withState(String changed) {
    return new Assigned(wish, primary, range, changed);
  }

  public Assigned withWish(Configuration changed, boolean isPrimary) {
    return new Assigned(changed, isPrimary, range, state);
  }

  /**
   * Its element of an interface.
   *
   * @param lengths whether the version of the API knows lengths of blocks
   */
  public Document document(String interfaceId, String etag, BlockForm form, boolean lengths) {
    Document properties =
        wish.properties()
            .without("privateIPAddress", "privateIPAddressPrefixLength", "provisioningState")
            .with("provisioningState", state)
            .with("primary", primary);
    if (!properties.has("privateIPAllocationMethod")) {
      properties = properties.with("privateIPAllocationMethod", "Dynamic");
    }
    if (!properties.has("privateIPAddressVersion")) {
      properties = properties.with("privateIPAddressVersion", "IPv4");
    }
    if (range.isPresent()) {
      properties = properties.with("privateIPAddress", text(range.get(), form));
      if (!range.get().isSingle() && lengths) {
        properties = properties.with("privateIPAddressPrefixLength", range.get().prefixLength());
      }
    }
    return Document.of("name", name())
        .with("id", interfaceId + "/ipConfigurations/" + name())
        .with("etag", etag)
        .with("type", "Microsoft.Network/networkInterfaces/ipConfigurations")
        .with("properties", properties);
  }

  private static String text(Cidr range, BlockForm form) {
    if (range.isSingle()) {
      return range.first().toString();
    }
    return switch (form) {
      case CIDR -> range.toString();
      case ADDRESS_AND_LENGTH -> range.first().toString();
      case HOST_BITS -> range.address(5).toString();
    };
  }
}
