/**
 * Runs in: anywhere.
 *
 * <p>How requests reach the model ({@link io.tidemark.emulator.arm.http.ArmHandler}), and where
 * access tokens come from ({@link io.tidemark.emulator.arm.http.Identity}).
 */
@NullMarked
package io.tidemark.emulator.arm.http;

import org.jspecify.annotations.NullMarked;
