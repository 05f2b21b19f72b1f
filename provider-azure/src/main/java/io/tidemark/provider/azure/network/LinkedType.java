package io.tidemark.provider.azure.network;

import java.util.Arrays;
import java.util.Optional;

/**
 * Resources that the body of a write names, each with the action that Azure wants on it then (the
 * linked check; Z51).
 */
public enum LinkedType {
  SUBNET("join/action", "virtualNetworks", "subnets"),
  SECURITY_GROUP("join/action", "networkSecurityGroups"),
  APPLICATION_SECURITY_GROUP("joinIpConfiguration/action", "applicationSecurityGroups"),
  LOAD_BALANCER_POOL("join/action", "loadBalancers", "backendAddressPools"),
  INBOUND_NAT_RULE("join/action", "loadBalancers", "inboundNatRules"),
  GATEWAY_POOL("join/action", "applicationGateways", "backendAddressPools"),
  PUBLIC_ADDRESS("join/action", "publicIPAddresses");

  private static final String NETWORK = "Microsoft.Network";

  @SuppressWarnings("ImmutableEnumChecker") // an array that nobody changes
  private final String[] types;

  private final String action;

  LinkedType(String verb, String... types) {
    this.types = types;
    this.action = NETWORK + "/" + String.join("/", types) + "/" + verb;
  }

  /** The action on the resource. */
  public String action() {
    return action;
  }

  /** The type of this resource; empty when writes of it are not checked. */
  public static Optional<LinkedType> of(ResourceId id) {
    return Arrays.stream(values()).filter(each -> id.isOf(NETWORK, each.types)).findFirst();
  }
}
