package io.tidemark.provider.azure.ipam;

import io.tidemark.error.ErrorCode;

/**
 * Errors that the Azure provider reports to people; numbers 4000-4099 are in docs/errors.md (Z49).
 */
public enum AzureError implements ErrorCode {
  /** The answer of a scale set's API to a request for a block was a single address. */
  BLOCKS_NOT_GIVEN(
      4001,
      Kind.CONFIGURATION,
      "Unset azure-blocks-on-scale-sets until Azure gives blocks to instances of scale sets; they"
          + " get single addresses meanwhile."),
  /** A pod and the node would have the same address. */
  PRIMARY_SERVES_PODS(
      4002,
      Kind.CONFIGURATION,
      "Unset azure-use-primary-address, unless no program of the nodes uses their primary"
          + " address."),
  /** Free addresses are counted from the subnet alone. */
  USAGES_NOT_PERMITTED(
      4003,
      Kind.CONFIGURATION,
      "Grant Microsoft.Network/virtualNetworks/usages/read on the virtual network, so that free"
          + " addresses are counted exactly."),
  /** Azure may refuse secondary addresses there. */
  SUBNET_OF_SEVERAL_PREFIXES(
      4004,
      Kind.CONFIGURATION,
      "Use a subnet with one IPv4 prefix if Azure refuses more addresses in this one."),
  /** The model of an instance named configurations that no interface had. */
  GHOSTS_DROPPED(
      4005, Kind.RETRYABLE, "None; the configurations that a failed update left were removed."),
  /** An upgrade to the model of the set removed addresses that pods could use. */
  CONFIGURATIONS_REPLACED(
      4006,
      Kind.RETRYABLE,
      "Restart pods that lost their address, and drain a node before its instance is upgraded;"
          + " addresses are allocated anew."),
  /** The URL of an operation is not at the endpoint, so no token was sent there. */
  FOREIGN_OPERATION_URL(
      4007,
      Kind.CONFIGURATION,
      "Check azure-resource-manager-endpoint and the proxies on the way; the state of the resource"
          + " is read instead."),
  /** Nobody told which cloud it is. */
  CLOUD_ASSUMED(4008, Kind.CONFIGURATION, "Set azure-cloud.");

  @SuppressWarnings("ImmutableEnumChecker") // a record of immutable parts
  private final Meaning meaning;

  AzureError(int number, Kind kind, String remedy) {
    this.meaning = new Meaning(number, kind, remedy);
  }

  @Override
  public Meaning meaning() {
    return meaning;
  }
}
