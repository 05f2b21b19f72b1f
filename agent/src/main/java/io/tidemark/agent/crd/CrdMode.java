package io.tidemark.agent.crd;

/** Who fills the pool of the node's object. */
public enum CrdMode {
  /** Anybody; an address belongs to no interface, and may be reserved for one owner. */
  CRD,
  /** The operator for EC2. */
  ENI,
  /** The operator for Azure. */
  AZURE;

  /** Whether addresses belong to interfaces of an instance. */
  public boolean isCloud() {
    return this != CRD;
  }
}
