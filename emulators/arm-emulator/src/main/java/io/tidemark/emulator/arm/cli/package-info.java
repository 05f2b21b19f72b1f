/**
 * Runs in: anywhere.
 *
 * <p>The program: {@link io.tidemark.emulator.arm.cli.Main}, then {@code ArmEmulatorCommand}.
 */
@NullMarked
package io.tidemark.emulator.arm.cli;

import org.jspecify.annotations.NullMarked;
