package io.tidemark.nodeid.local;

import java.util.List;
import java.util.Optional;

/**
 * The state of Kubernetes at one moment.
 *
 * @param podCidr the pod CIDR of this node's object as it stands there; empty when it has none yet
 * @param pods every pod of this node, with an address or without; those of others do no harm
 */
public record KubeState(Optional<String> podCidr, List<Pod> pods) {
  /** A pod and its address, or another text, as listed; one that has finished uses it no more. */
  public record Pod(PodId id, String address, boolean finished) {}

  public KubeState {
    podCidr = podCidr.filter(text -> !text.isBlank());
    pods = List.copyOf(pods);
  }
}
