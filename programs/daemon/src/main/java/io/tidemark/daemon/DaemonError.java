package io.tidemark.daemon;

import io.tidemark.error.ErrorCode;

/** Errors of the program of a node, 1800-1899. */
public enum DaemonError implements ErrorCode {
  SOCKET_REFUSED(
      1801,
      Kind.CONFIGURATION,
      "Stop the program that listens there, or set another path or port to listen on."),
  STATE_IN_USE(
      1802, Kind.CONFIGURATION, "Stop the other agent, or set agent-state to another folder."),
  STATE_UNREADABLE(
      1803,
      Kind.CONFIGURATION,
      "Delete the file once the node has no pods; while it has, the agent must know their"
          + " addresses."),
  STATE_UNWRITABLE(1804, Kind.RETRYABLE, "Give the agent a writable folder with free space."),
  NODE_WITHOUT_ADDRESSES(
      1805,
      Kind.RETRYABLE,
      "Check why the node's CiliumNode has no block in spec.ipam.podCIDRs or"
          + " spec.ipam.pools.allocated, or no addresses in spec.ipam.pool, or its Node no id (with"
          + " ipam=node-id), then start the agent again."),
  ATTACHMENT_DIFFERS(1806, Kind.USAGE, "Delete the attachment and add it again."),
  INTERFACES_UNREADABLE(
      1807, Kind.CONFIGURATION, "Correct the file of --interfaces; docs/ipamd.md has its form."),
  INSTANCE_UNKNOWN(
      1808,
      Kind.RETRYABLE,
      "Make the instance's metadata service reachable, in a container by a hop limit of 2, or set"
          + " aws-metadata-endpoint."),
  NODE_UNKNOWN(
      1809,
      Kind.CONFIGURATION,
      "Correct the name in --node; if it is right, check what creates the node's object: its Cilium"
          + " agent or an operator."),
  CHECKPOINT_IN_USE(
      1820, Kind.CONFIGURATION, "Stop the other ipamd, or set checkpoint-path to another file.");

  @SuppressWarnings("ImmutableEnumChecker") // a record of immutable parts
  private final Meaning meaning;

  DaemonError(int number, Kind kind, String remedy) {
    this.meaning = new Meaning(number, kind, remedy);
  }

  @Override
  public Meaning meaning() {
    return meaning;
  }
}
