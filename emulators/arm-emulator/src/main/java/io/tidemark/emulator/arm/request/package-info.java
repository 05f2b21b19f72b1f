/**
 * Runs in: anywhere.
 *
 * <p>Requests and responses of Resource Manager: which operation a path asks for ({@link
 * io.tidemark.emulator.arm.request.Operation}), ids in any case ({@link
 * io.tidemark.emulator.arm.request.ArmId}), errors.
 */
@NullMarked
package io.tidemark.emulator.arm.request;

import org.jspecify.annotations.NullMarked;
