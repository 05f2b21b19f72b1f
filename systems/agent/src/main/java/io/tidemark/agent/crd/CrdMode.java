package io.tidemark.agent.crd;

import io.tidemark.resource.NodeResource;
import java.util.Locale;
import java.util.Optional;

/** Who fills the pool of the node's object. */
public enum CrdMode {
  /** Anybody; an address belongs to no interface, and may be reserved for one owner. */
  CRD,
  /** The operator for EC2. */
  ENI,
  /** The operator for Azure. */
  AZURE;

  private static final String AZURE_SCHEME = "azure://";

  /** Whether addresses belong to interfaces of an instance. */
  public boolean isCloud() {
    return this != CRD;
  }

  /**
   * Whether an object is of an instance, and not of an earlier one of the same node name (A84).
   *
   * @param instance its id; empty where none is checked
   */
  public boolean isOf(Optional<String> instance, NodeResource object) {
    if (instance.isEmpty()) {
      return true;
    }
    return this == AZURE
        ? object.instanceId().map(CrdMode::plain).equals(instance.map(CrdMode::plain))
        : object.instanceId().equals(instance);
  }

  /** Azure mixes upper and lower case, and Kubernetes writes a scheme before the id. */
  private static String plain(String id) {
    String lower = id.toLowerCase(Locale.ROOT);
    return lower.startsWith(AZURE_SCHEME) ? lower.substring(AZURE_SCHEME.length()) : lower;
  }
}
