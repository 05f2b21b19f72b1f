/**
 * Runs in: anywhere.
 *
 * <p>How requests reach the model: in process ({@link io.tidemark.emulator.arm.http.ArmHandler}) or
 * through a port ({@link io.tidemark.emulator.arm.http.ArmHttpFront}).
 */
@NullMarked
package io.tidemark.emulator.arm.http;

import org.jspecify.annotations.NullMarked;
