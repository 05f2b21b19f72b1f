/**
 * Runs in: anywhere.
 *
 * <p>An Azure Resource Manager for network interfaces, of strict semantics and in virtual time:
 * {@link io.tidemark.emulator.arm.ArmEmulator}.
 */
@NullMarked
package io.tidemark.emulator.arm;

import org.jspecify.annotations.NullMarked;
