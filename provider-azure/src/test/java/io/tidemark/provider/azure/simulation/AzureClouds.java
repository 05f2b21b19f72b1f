package io.tidemark.provider.azure.simulation;

import io.tidemark.provider.azure.simulation.CloudSetup.Trait;
import io.tidemark.simulation.ClusterSimulation.CloudFactory;
import io.tidemark.simulation.cloud.CloudTemper;
import io.tidemark.simulation.cloud.SimulatedCloud;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.time.VirtualTime;
import java.util.function.Function;

/** Makes simulated clouds of Azure, whose machines keep the interfaces that they begin with. */
public class AzureClouds implements CloudFactory {
  private static final int PLAIN_OF = 4;

  /** Forms, layouts and troubles by the seed. */
  static final AzureClouds RANDOM =
      new AzureClouds(
          scenario ->
              CloudSetup.PLAIN
                  .with(Trait.MIXED, true)
                  .with(Trait.TROUBLED, Math.floorMod(scenario.seed(), PLAIN_OF) != 0));

  private final Function<Scenario, CloudSetup> setup;

  AzureClouds(Function<Scenario, CloudSetup> setup) {
    this.setup = setup;
  }

  static AzureClouds of(CloudSetup setup) {
    return new AzureClouds(any -> setup);
  }

  @Override
  public SimulatedCloud create(Scenario scenario, VirtualTime time, CloudTemper temper, long seed) {
    return new AzureSimulatedCloud(scenario, time, temper, seed, setup.apply(scenario));
  }

  @Override
  public Scenario suited(Scenario drawn) {
    return Layout.suited(drawn);
  }
}
