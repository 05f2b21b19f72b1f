package io.tidemark.provider.aws.simulation;

import io.tidemark.simulation.ClusterSimulation.CloudFactory;
import io.tidemark.simulation.cloud.CloudTemper;
import io.tidemark.simulation.cloud.SimulatedCloud;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.time.VirtualTime;

/** EC2 through the direct door, with no trouble but the scenario's; can be made by name. */
public final class PlainClouds implements CloudFactory {
  @Override
  public SimulatedCloud create(Scenario scenario, VirtualTime time, CloudTemper temper, long seed) {
    return AwsSimulatedCloud.with(CloudSetup.PLAIN).create(scenario, time, temper, seed);
  }
}
