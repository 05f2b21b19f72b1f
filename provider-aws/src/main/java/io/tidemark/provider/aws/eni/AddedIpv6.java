package io.tidemark.provider.aws.eni;

import io.tidemark.ip.Cidr;
import io.tidemark.provider.kit.Change;
import io.tidemark.spi.InterfaceId;
import java.util.List;

/** IPv6 prefixes came to an interface. */
record AddedIpv6(InterfaceId on, List<Cidr> prefixes) implements Change<Eni> {
  AddedIpv6 {
    prefixes = List.copyOf(prefixes);
  }

  @Override
  public List<Eni> replay(List<Eni> interfaces) {
    return Change.edit(interfaces, on, each -> each.plusIpv6(prefixes));
  }
}
