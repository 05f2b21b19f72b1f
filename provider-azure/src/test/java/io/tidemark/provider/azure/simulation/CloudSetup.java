package io.tidemark.provider.azure.simulation;

import io.tidemark.emulator.arm.http.ArmHandler;
import io.tidemark.provider.azure.network.ArmApi;
import io.tidemark.provider.azure.network.ArmDoors;
import io.tidemark.time.TimeSource;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The simulated setup besides the scenario.
 *
 * @param way to Resource Manager
 * @param door stands between the provider and Resource Manager
 */
record CloudSetup(Set<Trait> traits, Way way, UnaryOperator<ArmApi> door) {
  /** Forms take turns, operations take ten seconds, no trouble but the scenario's. */
  static final CloudSetup PLAIN =
      new CloudSetup(Set.of(), ArmDoors::pipeline, UnaryOperator.identity());

  /** Makes a way to Resource Manager for one operator. */
  @FunctionalInterface
  interface Way {
    ArmApi to(ArmHandler handler, Supplier<String> token, TimeSource time);
  }

  /** A property of a cluster or its account. */
  enum Trait {
    /** The seed chooses forms, layouts of machines and how Azure behaves. */
    MIXED,
    /** Azure's own troubles. */
    TROUBLED,
    /** Nodes ask for a public address each. */
    PUBLIC_ADDRESSES
  }

  CloudSetup {
    traits = Set.copyOf(traits);
  }

  boolean has(Trait trait) {
    return traits.contains(trait);
  }

  CloudSetup with(Trait trait, boolean wanted) {
    if (!wanted) {
      return this;
    }
    Set<Trait> more = EnumSet.of(trait);
    more.addAll(traits);
    return new CloudSetup(more, way, door);
  }

  CloudSetup behind(UnaryOperator<ArmApi> other) {
    return new CloudSetup(traits, way, other);
  }

  CloudSetup by(Way other) {
    return new CloudSetup(traits, other, door);
  }
}
