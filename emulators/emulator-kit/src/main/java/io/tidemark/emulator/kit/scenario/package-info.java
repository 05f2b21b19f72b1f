/**
 * Runs in: anywhere.
 *
 * <p>Scenario files: from YAML to a tree with line numbers ({@link
 * io.tidemark.emulator.kit.scenario.TreeYaml}), from the tree to values, with every problem noted
 * ({@link io.tidemark.emulator.kit.scenario.Section}).
 */
@NullMarked
package io.tidemark.emulator.kit.scenario;

import org.jspecify.annotations.NullMarked;
