/**
 * Runs in: anywhere.
 *
 * <p>The process around an emulator's command: {@link
 * io.tidemark.emulator.kit.cli.EmulatorProgram}.
 */
@NullMarked
package io.tidemark.emulator.kit.cli;

import org.jspecify.annotations.NullMarked;
