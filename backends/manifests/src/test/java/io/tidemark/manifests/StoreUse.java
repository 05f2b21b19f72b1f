package io.tidemark.manifests;

import io.tidemark.ip.IpAddress;
import io.tidemark.resource.UsedAddress;
import java.util.Map;

/** Addresses in use, as agents tell them. */
final class StoreUse {
  private StoreUse() {}

  static Map<IpAddress, UsedAddress> of(String address) {
    return Map.of(IpAddress.parse(address), new UsedAddress("default/web", "eni-1"));
  }
}
