package io.tidemark.manifests;

import io.tidemark.cluster.ClusterNode;
import java.util.List;
import java.util.Objects;

/**
 * A Kubernetes Node with the addresses that its kubelet reports.
 *
 * @param internalIps its {@code status.addresses} of type {@code InternalIP}, as written
 */
public record AddressedNode(ClusterNode node, List<String> internalIps) {
  public AddressedNode {
    Objects.requireNonNull(node, "node");
    internalIps = List.copyOf(internalIps);
  }

  AddressedNode with(ClusterNode changed) {
    return new AddressedNode(changed, internalIps);
  }
}
