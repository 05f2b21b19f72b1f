/**
 * Runs in: anywhere.
 *
 * <p>How requests reach the model: in process ({@link io.tidemark.emulator.arm.http.ArmHandler}) or
 * through a port ({@link io.tidemark.emulator.arm.http.ArmHttpFront}); and where access tokens come
 * from ({@link io.tidemark.emulator.arm.http.Identity}).
 */
@NullMarked
package io.tidemark.emulator.arm.http;

import org.jspecify.annotations.NullMarked;
