package io.tidemark.provider.azure.network;

import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * Azure Resource Manager as this provider uses it: each method is exactly one request and blocks
 * until its response or its timeout; called inside of leafs of {@link
 * io.tidemark.resilience.CloudCalls} alone. Thread-safe.
 */
public interface ArmApi {
  /**
   * Interfaces of a resource group, those of Uniform instances left out (C4).
   *
   * @param next of the page before; empty for the first one
   */
  Page<NetworkInterface> interfacesOfGroup(String subscription, String group, Optional<URI> next)
      throws ArmFailure;

  /** Interfaces of all instances of a Uniform set (C6); {@code next} as above. */
  Page<NetworkInterface> interfacesOfSet(ResourceId set, Optional<URI> next) throws ArmFailure;

  /** Interfaces of a Uniform instance (C7); {@code next} as above. */
  Page<NetworkInterface> interfacesOfInstance(ResourceId instance, Optional<URI> next)
      throws ArmFailure;

  /** An interface of a virtual machine (C10). */
  NetworkInterface networkInterface(ResourceId id) throws ArmFailure;

  /** The interfaces of a virtual machine (C12). */
  List<ResourceId> interfacesOfMachine(ResourceId machine) throws ArmFailure;

  /** What a write of this interface (C10) or Uniform instance (C8) begins with. */
  WritableResource writable(ResourceId id) throws ArmFailure;

  /** Changes configurations if the etag is still the resource's (C9, C11). */
  Written write(WritableResource base, ConfigurationChange change) throws ArmFailure;

  /** Asks whether an operation has ended. */
  OperationStatus operation(Written written, ResourceId resource) throws ArmFailure;

  /** A subnet (C2). */
  Subnet subnet(ResourceId id) throws ArmFailure;

  /** Public prefixes of a resource group (C13); {@code next} as above. */
  Page<PublicPrefix> publicPrefixes(String subscription, String group, Optional<URI> next)
      throws ArmFailure;

  /** A public address that is a resource of its own. */
  PublicAddress publicAddress(ResourceId id) throws ArmFailure;

  /** Makes a public address of this prefix; the same again changes nothing. */
  Written createPublicAddress(ResourceId id, PublicPrefix prefix) throws ArmFailure;

  /**
   * Public addresses of a Uniform instance (C14); {@code next} as above.
   *
   * @param configuration of the interface, by its name
   */
  Page<PublicAddress> publicAddressesOfInstance(
      ResourceId networkInterface, String configuration, Optional<URI> next) throws ArmFailure;

  /** How much of the subnets of a virtual network is used (C3); {@code next} as above. */
  Page<SubnetUsage> usages(ResourceId network, Optional<URI> next) throws ArmFailure;

  /**
   * Who answers at the endpoint. The request carries no token, so that none gets to a stranger.
   *
   * @throws ArmFailure when there is no response
   */
  EndpointAnswer endpoint() throws ArmFailure;

  /**
   * What we may do at a scope by our roles (C15); {@code next} as above. Deny assignments, locks
   * and policies are not told.
   *
   * @param scope the id of a subscription, a resource group or a resource
   */
  Page<Grant> permissions(String scope, Optional<URI> next) throws ArmFailure;

  /**
   * What the interfaces name that are listed with those of a machine, by {@link
   * ArmOperation#listOf}; {@code next} as above.
   */
  Page<InterfaceLinks> links(ResourceId machine, Optional<URI> next) throws ArmFailure;
}
