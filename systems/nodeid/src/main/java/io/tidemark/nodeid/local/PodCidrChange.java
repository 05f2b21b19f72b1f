package io.tidemark.nodeid.local;

import java.util.Objects;

/**
 * The pod CIDR of this node is another one, as an external IPAM has chosen it. A resync follows, in
 * which every subnet is computed anew.
 *
 * @param localPodCidr the pod CIDR as the Node object has it
 */
public record PodCidrChange(String localPodCidr) implements NodeIpamEvent.Resync {
  /** The name of the event, as Contiv logs it. */
  public static final String NAME = "Pod CIDR Change";

  public PodCidrChange {
    Objects.requireNonNull(localPodCidr, "localPodCidr");
  }

  @Override
  public String toString() {
    return NAME + " to " + localPodCidr;
  }
}
