package io.tidemark.provider.mock;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.Capability;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.ProviderContext;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import io.tidemark.spi.contract.AllocationContract;
import io.tidemark.spi.contract.ContractCloud;
import io.tidemark.time.VirtualTime;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;

/**
 * The contract holds for a provider that cannot release and says so; the other capabilities are
 * lacking in the providers minimal and azure.
 */
@DisplayName("A provider that lacks capabilities keeps the contract")
class LimitedContractTest extends AllocationContract {
  private static final Map<Capability, String> LACKING =
      Map.of(
          Capability.RELEASE, "This cloud keeps addresses.",
          Capability.CIDR_RELEASE, "This cloud keeps blocks.",
          Capability.SINGLE_ADDRESSES, "This cloud gives blocks alone where it gives any.",
          Capability.STATIC_ADDRESS, "This cloud has no public addresses.",
          Capability.IPV6_PREFIX, "This cloud has no IPv6 prefixes.");

  @Override
  protected ContractCloud cloud(VirtualTime time) {
    ContractCloud base = new MockContractCloud(time);
    return Overriding.of(ContractCloud.class, base, new LimitedCloud(base));
  }

  @Override
  protected Map<Capability, String> lacking() {
    return LACKING;
  }

  /** The cloud's deviations. */
  record LimitedCloud(ContractCloud base) {
    AllocationImplementation provider(ProviderContext context) {
      AllocationImplementation whole = base.provider(context);
      return Overriding.of(AllocationImplementation.class, whole, new LimitedProvider(whole));
    }
  }

  /** The provider's deviations. */
  record LimitedProvider(AllocationImplementation base) {
    Set<Capability> capabilities() {
      EnumSet<Capability> left = EnumSet.copyOf(base.capabilities());
      left.removeAll(LACKING.keySet());
      return left;
    }

    NodeOperations createNode(NodeSettings settings, NodeResource resource) {
      NodeOperations whole = base.createNode(settings, resource);
      return Overriding.of(NodeOperations.class, whole, new LimitedNode(whole));
    }
  }

  /** A node's deviations. */
  record LimitedNode(NodeOperations base) {
    ReleaseAction prepareIpRelease(int excess, AddressSet used) {
      return base.prepareIpRelease(excess, used).only(AddressSet.of(), List.of());
    }

    List<ReleaseAction> prepareCidrRelease(Set<Cidr> cidrs) {
      return List.of();
    }

    CompletionStage<AllocationOutcome> allocateIps(AllocationAction action, CallContext context) {
      return base.isPrefixDelegated() && action.ipv4().blocks() == 0
          ? CompletableFuture.completedFuture(
              new AllocationOutcome.Refused(unable(Capability.SINGLE_ADDRESSES)))
          : base.allocateIps(action, context);
    }

    CompletionStage<ReleaseOutcome> release(ReleaseAction action, CallContext context) {
      return CompletableFuture.completedFuture(
          new ReleaseOutcome.NothingReleased(unable(Capability.RELEASE)));
    }

    private static Failure unable(Capability capability) {
      return Failure.of(Failure.Kind.CONFIGURATION, "unable", "without " + capability);
    }
  }
}
