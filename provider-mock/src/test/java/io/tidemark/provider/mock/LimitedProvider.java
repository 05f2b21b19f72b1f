package io.tidemark.provider.mock;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.EniSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.Capability;
import io.tidemark.spi.NodeAliasRanges;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.ProviderContext;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import io.tidemark.spi.contract.ContractCloud;
import io.tidemark.spi.contract.ContractCloud.Capacity;
import io.tidemark.spi.contract.NodeShape;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The mock provider with capabilities taken from it, which it refuses as the contract says. */
final class LimitedProvider {
  private final AllocationImplementation base;
  private final Set<Capability> lacking;

  private LimitedProvider(AllocationImplementation base, Set<Capability> lacking) {
    this.base = base;
    this.lacking = Set.copyOf(lacking);
  }

  /** A cloud whose provider lacks {@code lacking}. */
  static ContractCloud cloud(ContractCloud base, Set<Capability> lacking) {
    return Overriding.of(ContractCloud.class, base, new Cloud(base, lacking));
  }

  /** The cloud's deviations. */
  record Cloud(ContractCloud base, Set<Capability> lacking) {
    AllocationImplementation provider(ProviderContext context) {
      AllocationImplementation whole = base.provider(context);
      return Overriding.of(
          AllocationImplementation.class, whole, new LimitedProvider(whole, lacking));
    }

    NodeResource launch(String node, NodeShape shape, String subnetId) {
      return base.launch(node, possible(shape), subnetId);
    }

    List<Capacity> capacities() {
      return base.capacities().stream()
          .filter(each -> !each.blocks() || !lacking.contains(Capability.PREFIX_DELEGATION))
          .filter(each -> !each.primary() || !lacking.contains(Capability.NEW_INTERFACE))
          .toList();
    }

    private NodeShape possible(NodeShape shape) {
      return lacking.contains(Capability.NEW_INTERFACE)
          ? new NodeShape(1, shape.addresses(), shape.traits())
          : shape;
    }
  }

  Set<Capability> capabilities() {
    EnumSet<Capability> left = EnumSet.copyOf(base.capabilities());
    left.removeAll(lacking);
    return left;
  }

  Optional<NodeAliasRanges> aliasRanges() {
    return lacking.contains(Capability.ALIAS_RANGES) ? Optional.empty() : base.aliasRanges();
  }

  NodeOperations createNode(NodeSettings settings, NodeResource resource) {
    NodeSettings less =
        new NodeSettings(
            settings.name(),
            settings.prefixDelegation() && !lacking.contains(Capability.PREFIX_DELEGATION),
            settings.releaseExcess(),
            settings.referenceCompatible());
    NodeOperations whole = base.createNode(less, resource);
    String home = resource.eniSpec().map(EniSpec::nodeSubnetId).orElse("");
    return Overriding.of(NodeOperations.class, whole, new Limited(whole, lacking, home));
  }

  /** A node's deviations. */
  record Limited(NodeOperations base, Set<Capability> lacking, String home) {
    AllocationAction prepareIpAllocation() {
      AllocationAction whole = base.prepareIpAllocation();
      boolean away = whole.pool().map(pool -> !pool.text().equals(home)).orElse(false);
      if (away && lacking.contains(Capability.MANY_SUBNETS)) {
        return AllocationAction.blocked(
            new Blocked(BlockedReason.SUBNET_EXHAUSTED, home + " is full"), 0);
      }
      return new AllocationAction(
          whole.onInterface(),
          whole.pool(),
          lacking.contains(Capability.NEW_INTERFACE) ? 0 : whole.emptyInterfaceSlots(),
          whole.ipv4(),
          whole.ipv6Prefixes(),
          whole.firstCalls(),
          whole.blocked());
    }

    ReleaseAction prepareIpRelease(int excess, AddressSet used) {
      ReleaseAction whole = base.prepareIpRelease(excess, used);
      return lacking.contains(Capability.RELEASE) ? whole.only(AddressSet.of(), List.of()) : whole;
    }

    List<ReleaseAction> prepareCidrRelease(Set<Cidr> cidrs) {
      return lacking.contains(Capability.CIDR_RELEASE) ? List.of() : base.prepareCidrRelease(cidrs);
    }

    CompletionStage<AllocationOutcome> allocateIps(AllocationAction action, CallContext context) {
      boolean singles = base.isPrefixDelegated() && action.ipv4().blocks() == 0;
      return singles && lacking.contains(Capability.SINGLE_ADDRESSES)
          ? refused(Capability.SINGLE_ADDRESSES)
          : base.allocateIps(action, context);
    }

    CompletionStage<AllocationOutcome> createInterface(
        AllocationAction action, CallContext context) {
      return lacking.contains(Capability.NEW_INTERFACE)
          ? refused(Capability.NEW_INTERFACE)
          : base.createInterface(action, context);
    }

    CompletionStage<AllocationOutcome> allocateStaticAddress(
        Map<String, String> tags, CallContext context) {
      return lacking.contains(Capability.STATIC_ADDRESS)
          ? refused(Capability.STATIC_ADDRESS)
          : base.allocateStaticAddress(tags, context);
    }

    CompletionStage<ReleaseOutcome> release(ReleaseAction action, CallContext context) {
      return lacking.contains(Capability.RELEASE)
          ? CompletableFuture.completedFuture(
              new ReleaseOutcome.NothingReleased(unable(Capability.RELEASE)))
          : base.release(action, context);
    }

    private static CompletionStage<AllocationOutcome> refused(Capability capability) {
      return CompletableFuture.completedFuture(new AllocationOutcome.Refused(unable(capability)));
    }

    private static Failure unable(Capability capability) {
      return Failure.of(Failure.Kind.CONFIGURATION, "unable", "without " + capability);
    }
  }
}
