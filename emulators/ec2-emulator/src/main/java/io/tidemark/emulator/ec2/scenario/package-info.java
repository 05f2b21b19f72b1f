/**
 * Runs in: anywhere.
 *
 * <p>Worlds that are written down: VPCs, subnets, instances, and how the emulated EC2 behaves, read
 * strictly from a YAML file and made by the emulator's own actions.
 *
 * <p>Read {@link io.tidemark.emulator.ec2.scenario.Ec2ScenarioYaml} first, then {@link
 * io.tidemark.emulator.ec2.scenario.Ec2Scenario}.
 */
@NullMarked
package io.tidemark.emulator.ec2.scenario;

import org.jspecify.annotations.NullMarked;
