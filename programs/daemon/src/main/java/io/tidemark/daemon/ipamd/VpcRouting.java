package io.tidemark.daemon.ipamd;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * The facts about a VPC that the plugin needs to route a pod's traffic.
 *
 * @param externalSnat whether something outside of the node translates source addresses
 * @param v4Cidrs whose destinations see the pod's own address
 * @param v6Cidrs whose destinations see the pod's own address
 */
public record VpcRouting(boolean externalSnat, List<String> v4Cidrs, List<String> v6Cidrs) {
  /** Without any CIDR. */
  public static final VpcRouting NONE = new VpcRouting(false, List.of(), List.of());

  /** The same with more CIDRs, of both families; none twice. */
  public VpcRouting plus(Collection<Cidr> cidrs) {
    return new VpcRouting(
        externalSnat, with(v4Cidrs, IpFamily.IPV4, cidrs), with(v6Cidrs, IpFamily.IPV6, cidrs));
  }

  private static List<String> with(List<String> texts, IpFamily family, Collection<Cidr> more) {
    return Stream.concat(
            texts.stream(),
            more.stream().filter(cidr -> cidr.family() == family).map(Cidr::toString))
        .distinct()
        .toList();
  }

  /** The routing that replies show for pods of a family; IPv6 addresses are never translated. */
  VpcRouting of(IpFamily family) {
    return family == IpFamily.IPV4
        ? new VpcRouting(externalSnat, v4Cidrs, List.of())
        : new VpcRouting(false, List.of(), v6Cidrs);
  }
}
