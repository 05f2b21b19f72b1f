package io.tidemark.provider.mock;

import io.tidemark.spi.Capability;
import io.tidemark.spi.contract.AllocationContract;
import io.tidemark.spi.contract.ContractCloud;
import io.tidemark.time.VirtualTime;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/** The contract holds for a provider that can do less and says so. */
@DisplayName("A provider that lacks capabilities keeps the contract")
class LimitedContractTest {
  private static Map<Capability, String> without(Set<Capability> capabilities) {
    EnumSet<Capability> all = EnumSet.of(Capability.IPV6_PREFIX);
    all.addAll(capabilities);
    return all.stream()
        .collect(Collectors.toMap(Function.identity(), each -> "This cloud has no " + each));
  }

  private static ContractCloud limited(VirtualTime time, Set<Capability> lacking) {
    return LimitedProvider.cloud(new MockContractCloud(time), lacking);
  }

  @Nested
  @DisplayName("neither release nor public addresses")
  class WithoutRelease extends AllocationContract {
    private final Set<Capability> lacking =
        Set.of(Capability.RELEASE, Capability.CIDR_RELEASE, Capability.STATIC_ADDRESS);

    @Override
    protected ContractCloud cloud(VirtualTime time) {
      return limited(time, lacking);
    }

    @Override
    protected Map<Capability, String> lacking() {
      return without(lacking);
    }
  }

  @Nested
  @DisplayName("neither new interfaces nor blocks nor other subnets nor alias ranges")
  class WithoutInterfaces extends AllocationContract {
    private final Set<Capability> lacking =
        Set.of(
            Capability.NEW_INTERFACE,
            Capability.PREFIX_DELEGATION,
            Capability.MANY_SUBNETS,
            Capability.ALIAS_RANGES);

    @Override
    protected ContractCloud cloud(VirtualTime time) {
      return limited(time, lacking);
    }

    @Override
    protected Map<Capability, String> lacking() {
      return without(lacking);
    }
  }

  @Nested
  @DisplayName("no single addresses where blocks are used")
  class WithoutSingles extends AllocationContract {
    private final Set<Capability> lacking = Set.of(Capability.SINGLE_ADDRESSES);

    @Override
    protected ContractCloud cloud(VirtualTime time) {
      return limited(time, lacking);
    }

    @Override
    protected Map<Capability, String> lacking() {
      return without(lacking);
    }
  }
}
