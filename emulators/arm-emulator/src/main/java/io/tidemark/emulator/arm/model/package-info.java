/**
 * Runs in: anywhere.
 *
 * <p>The emulated Azure as a pure function of a request and an instant: {@link
 * io.tidemark.emulator.arm.model.ArmModel} shows the way of a request, {@code InterfaceWrites} and
 * {@code InstanceWrites} the two writes, {@code Reads} the rest. {@link
 * io.tidemark.emulator.arm.model.Resources} is what the owner of the resources does beside.
 */
@NullMarked
package io.tidemark.emulator.arm.model;

import org.jspecify.annotations.NullMarked;
