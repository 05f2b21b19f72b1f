/**
 * Runs in: anywhere.
 *
 * <p>What the network provider holds: subnets with their addresses ({@link
 * io.tidemark.emulator.arm.network.ArmSubnet}), interfaces ({@link
 * io.tidemark.emulator.arm.network.ArmNic}), and the rules of IP configurations ({@link
 * io.tidemark.emulator.arm.network.ConfigurationRules}).
 */
@NullMarked
package io.tidemark.emulator.arm.network;

import org.jspecify.annotations.NullMarked;
