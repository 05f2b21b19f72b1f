package io.tidemark.daemon.ipamd;

import java.util.List;

/**
 * What the plugin needs to know of a VPC to route a pod's traffic.
 *
 * @param externalSnat whether something outside of the node translates source addresses
 * @param v4Cidrs whose destinations see the pod's own address
 * @param v6Cidrs whose destinations see the pod's own address
 */
public record VpcRouting(boolean externalSnat, List<String> v4Cidrs, List<String> v6Cidrs) {
  /** Without any CIDR. */
  public static final VpcRouting NONE = new VpcRouting(false, List.of(), List.of());

  public VpcRouting {
    v4Cidrs = List.copyOf(v4Cidrs);
    v6Cidrs = List.copyOf(v6Cidrs);
  }
}
