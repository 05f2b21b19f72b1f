package io.tidemark.daemon.cni;

/** Which gateway results name. */
public enum GatewayChoice {
  /** An address of the block, held by owner {@code router}, which a plugin gives the node. */
  ROUTER,
  /** That of the interface which the address belongs to. */
  INTERFACE,
  /** None. */
  NONE
}
