package io.tidemark.nodeid;

/** One of the ranges of a cluster. Declared in the order of reports. */
public enum NodeIdRange {
  /** Each node has a subnet of it for its pods. */
  PODS("pod subnets"),
  /** Each node has a subnet of it for the link between switch and host. */
  LINKS("link subnets"),
  /** The main interface of each node has an address of it. */
  INTERCONNECT("interconnect"),
  /** The overlay interface (VXLAN) of each node has an address of it. */
  OVERLAY("overlay"),
  /** Services have their addresses from it; nodes take none. */
  SERVICES("services");

  private final String text;

  NodeIdRange(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
