package io.tidemark.provider.azure.network;

import java.net.URI;
import java.util.Optional;

/**
 * Azure Resource Manager as this provider uses it: each method is exactly one request and blocks
 * until its response or its timeout; called inside of leafs of {@link
 * io.tidemark.resilience.CloudCalls} alone. Thread-safe.
 */
public interface ArmApi {
  /** Reads a resource. */
  <T> T read(ArmRead<T> what) throws ArmFailure;

  /**
   * A page of a list.
   *
   * @param next of the page before; empty for the first one
   */
  <T> AzurePage<T> page(ArmList<T> list, Optional<URI> next) throws ArmFailure;

  /** Changes configurations if the etag is still the resource's (C9, C11). */
  Written write(WritableResource base, ConfigurationChange change) throws ArmFailure;

  /** Asks whether an operation has ended. */
  OperationStatus operation(Written written, ResourceId resource) throws ArmFailure;

  /** Makes a public address of this prefix; the same again changes nothing. */
  Written createPublicAddress(ResourceId id, PublicPrefix prefix) throws ArmFailure;

  /**
   * Who answers at the endpoint. The request carries no token, so that none gets to a stranger.
   *
   * @throws ArmFailure when there is no response
   */
  AzureEndpointAnswer endpoint() throws ArmFailure;
}
