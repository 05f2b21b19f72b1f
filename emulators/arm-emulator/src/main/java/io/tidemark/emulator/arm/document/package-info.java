/**
 * Runs in: anywhere.
 *
 * <p>JSON objects as values: {@link io.tidemark.emulator.arm.document.Document}.
 */
@NullMarked
package io.tidemark.emulator.arm.document;

import org.jspecify.annotations.NullMarked;
