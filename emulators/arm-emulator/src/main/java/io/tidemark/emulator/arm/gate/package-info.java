/**
 * Runs in: anywhere.
 *
 * <p>What a request passes before it reaches its operation: its token, the {@link
 * io.tidemark.emulator.arm.gate.Throttle}, the version of the API, the roles and locks ({@link
 * io.tidemark.emulator.arm.gate.Access}).
 */
@NullMarked
package io.tidemark.emulator.arm.gate;

import org.jspecify.annotations.NullMarked;
