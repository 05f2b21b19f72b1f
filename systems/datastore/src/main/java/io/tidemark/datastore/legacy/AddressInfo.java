package io.tidemark.datastore.legacy;

import io.tidemark.datastore.checkpoint.IpamKey;

/**
 * A secondary address.
 *
 * @param ipamKey of the sandbox that has it; all parts are empty when none has
 */
public record AddressInfo(String address, IpamKey ipamKey) {

  /** Whether a sandbox has it. */
  public boolean assigned() {
    return !ipamKey.isEmpty();
  }
}
