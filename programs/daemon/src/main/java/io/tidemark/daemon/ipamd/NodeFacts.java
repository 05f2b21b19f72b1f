package io.tidemark.daemon.ipamd;

/**
 * The facts about the node that other programs of the VPC CNI request. A text is empty when
 * unknown.
 */
public record NodeFacts(String ipv4, String ipv6, String instanceId, String region) {
  /** Nothing is known. */
  public static final NodeFacts UNKNOWN = new NodeFacts("", "", "", "");
}
