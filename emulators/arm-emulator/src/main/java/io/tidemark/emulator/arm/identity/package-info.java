/**
 * Runs in: anywhere.
 *
 * <p>Where access tokens come from: {@link io.tidemark.emulator.arm.identity.Identity}.
 */
@NullMarked
package io.tidemark.emulator.arm.identity;

import org.jspecify.annotations.NullMarked;
