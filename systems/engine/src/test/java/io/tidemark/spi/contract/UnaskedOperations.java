package io.tidemark.spi.contract;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.resilience.CallContext;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** A node of which a test asks only what it overrides. */
public abstract class UnaskedOperations implements NodeOperations {
  private static UnsupportedOperationException unasked() {
    return new UnsupportedOperationException("this is not asked for");
  }

  @Override
  public void updatedNode(NodeResource resource) {}

  @Override
  public NodeResource withProviderStatus(NodeResource resource) {
    return resource;
  }

  @Override
  public Inventory inventory() {
    throw unasked();
  }

  @Override
  public AllocationAction prepareIpAllocation() {
    throw unasked();
  }

  @Override
  public ReleaseAction prepareIpRelease(int excess, AddressSet used) {
    throw unasked();
  }

  @Override
  public List<ReleaseAction> prepareCidrRelease(Set<Cidr> cidrs) {
    return List.of();
  }

  @Override
  public CompletionStage<AllocationOutcome> allocateIps(
      AllocationAction action, CallContext context) {
    throw unasked();
  }

  @Override
  public CompletionStage<AllocationOutcome> createInterface(
      AllocationAction action, CallContext context) {
    throw unasked();
  }

  @Override
  public CompletionStage<ReleaseOutcome> release(ReleaseAction action, CallContext context) {
    throw unasked();
  }

  @Override
  public CompletionStage<AllocationOutcome> allocateStaticAddress(
      Map<String, String> tags, CallContext context) {
    throw unasked();
  }

  @Override
  public OptionalInt maximumAllocatableIpv4() {
    return OptionalInt.empty();
  }

  @Override
  public int minimumAllocatableIpv4() {
    return 8;
  }

  @Override
  public boolean isPrefixDelegated() {
    return false;
  }
}
