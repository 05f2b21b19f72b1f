package io.tidemark.daemon.ipamd;

import java.util.Objects;

/**
 * The facts about the node that other programs of the VPC CNI request. A text is empty when
 * unknown.
 *
 * @param everyCard whether pods can have an address of each network card
 */
public record NodeFacts(
    boolean everyCard, String ipv4, String ipv6, String instanceId, String region) {
  /** Nothing is known. */
  public static final NodeFacts UNKNOWN = new NodeFacts(false, "", "", "", "");

  public NodeFacts {
    Objects.requireNonNull(ipv4, "ipv4");
    Objects.requireNonNull(ipv6, "ipv6");
    Objects.requireNonNull(instanceId, "instanceId");
    Objects.requireNonNull(region, "region");
  }
}
