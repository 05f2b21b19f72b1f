/**
 * Runs in: anywhere.
 *
 * <p>The administration and the page, for programs and people of this machine: {@link
 * io.tidemark.emulator.arm.admin.ArmAdmin}.
 */
@NullMarked
package io.tidemark.emulator.arm.admin;

import org.jspecify.annotations.NullMarked;
