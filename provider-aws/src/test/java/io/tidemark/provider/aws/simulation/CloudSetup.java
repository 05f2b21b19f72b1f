package io.tidemark.provider.aws.simulation;

import io.tidemark.provider.aws.ec2.Ec2Api;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The simulated setup besides the scenario.
 *
 * @param traits of the cluster and its account
 * @param ownFaults EC2's own troubles
 * @param networkDoor stands between us and the account of the networks where there are two
 */
public record CloudSetup(
    Set<Trait> traits, OwnFaults.Source ownFaults, UnaryOperator<Ec2Api> networkDoor) {
  /** One account, IPv4, the direct door, no trouble but the scenario's. */
  static final CloudSetup PLAIN = of();

  /** A property of a cluster or its account. */
  enum Trait {
    /** Each node gets an IPv6 prefix; for agents that hold CIDRs. */
    IPV6,
    /** Another account owns the networks (provider-aws 7.2). */
    TWO_ACCOUNTS,
    /** The real SDK sends the requests. */
    SDK,
    /** Nodes ask for a public address. */
    STATIC_ADDRESSES,
    /** Somebody else puts interfaces on the instances, which are then his alone. */
    FOREIGN_INTERFACES,
    /** Foreign interfaces serve pods all the same. */
    ADOPTING,
    /** Subnets lose the tag by which nodes select them, and are emptied (provider-aws 12). */
    RETAGGING
  }

  public CloudSetup {
    traits = Set.copyOf(traits);
  }

  static CloudSetup of(Trait... traits) {
    return new CloudSetup(
        Set.of(traits), (scenario, time, seed) -> OwnFaults.none(time), UnaryOperator.identity());
  }

  boolean has(Trait trait) {
    return traits.contains(trait);
  }

  CloudSetup with(Trait trait) {
    Set<Trait> more = EnumSet.of(trait);
    more.addAll(traits);
    return new CloudSetup(more, ownFaults, networkDoor);
  }

  CloudSetup with(Trait trait, boolean wanted) {
    return wanted ? with(trait) : this;
  }

  CloudSetup troubled(OwnFaults.Source faults) {
    return new CloudSetup(traits, faults, networkDoor);
  }

  CloudSetup behind(UnaryOperator<Ec2Api> door) {
    return new CloudSetup(traits, ownFaults, door);
  }
}
