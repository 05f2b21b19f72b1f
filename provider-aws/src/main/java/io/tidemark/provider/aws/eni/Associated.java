package io.tidemark.provider.aws.eni;

import io.tidemark.ip.IpAddress;
import io.tidemark.provider.kit.Change;
import io.tidemark.spi.InterfaceId;
import java.util.List;

/** An elastic address was associated with an interface. */
record Associated(InterfaceId on, IpAddress address) implements Change<Eni> {
  @Override
  public List<Eni> replay(List<Eni> interfaces) {
    return Change.edit(interfaces, on, each -> each.withPublicAddress(address));
  }
}
