/**
 * Runs in: anywhere.
 *
 * <p>What there is at the start and how Azure behaves, as a YAML file: {@link
 * io.tidemark.emulator.arm.scenario.ArmScenarioYaml}.
 */
@NullMarked
package io.tidemark.emulator.arm.scenario;

import org.jspecify.annotations.NullMarked;
