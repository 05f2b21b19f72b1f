/**
 * Runs in: anywhere.
 *
 * <p>The emulator as a program: its command line, its exit codes, and its end by a signal.
 *
 * <p>Read {@link io.tidemark.emulator.ec2.cli.Main} first, then {@code Ec2EmulatorCommand}.
 */
@NullMarked
package io.tidemark.emulator.ec2.cli;

import org.jspecify.annotations.NullMarked;
