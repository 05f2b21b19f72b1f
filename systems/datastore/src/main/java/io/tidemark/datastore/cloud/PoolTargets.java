package io.tidemark.datastore.cloud;

import io.tidemark.datastore.plan.PoolLimits;
import io.tidemark.datastore.plan.Profile;
import io.tidemark.datastore.plan.WarmTargets;
import io.tidemark.demand.DemandSettings;
import io.tidemark.ip.IpFamily;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The targets of a card. IPv4 addresses follow the warm targets; for IPv6 addresses the card has
 * one prefix, which is never given back.
 *
 * @param family of the addresses of pods
 * @param limits of the card; which interfaces are of others is counted from what the cloud says.
 *     While they are unknown no IPv4 address is asked for and nothing given back
 * @param demand settings of the mode in which the warm targets, but for the minimum, follow demand;
 *     empty for static ones
 */
public record PoolTargets(
    IpFamily family,
    WarmTargets warm,
    Supplier<Optional<PoolLimits>> limits,
    Profile profile,
    Optional<DemandSettings> demand) {
  /** Static targets. */
  public PoolTargets(
      IpFamily family, WarmTargets warm, Supplier<Optional<PoolLimits>> limits, Profile profile) {
    this(family, warm, limits, profile, Optional.empty());
  }

  /** The same with other warm targets. */
  PoolTargets with(WarmTargets other) {
    return new PoolTargets(family, other, limits, profile, demand);
  }

  /** The limits now. One IPv6 prefix is the same on every type of instance. */
  Optional<PoolLimits> knownLimits() {
    return family == IpFamily.IPV6 ? Optional.of(PoolLimits.of(1, 1)) : limits.get();
  }
}
