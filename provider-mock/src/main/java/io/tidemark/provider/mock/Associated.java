package io.tidemark.provider.mock;

import io.tidemark.ip.IpAddress;
import io.tidemark.provider.kit.Change;
import io.tidemark.spi.InterfaceId;
import java.util.List;

/** A public address was associated with an interface. */
record Associated(InterfaceId on, IpAddress address) implements Change<Eni> {
  @Override
  public List<Eni> replay(List<Eni> interfaces) {
    return Change.edit(interfaces, on, each -> each.withPublicAddress(address));
  }
}
