/**
 * Runs in: anywhere.
 *
 * <p>What an emulator serves beside its protocol, to programs of its own machine only: {@link
 * io.tidemark.emulator.kit.http.LocalPages}.
 */
@NullMarked
package io.tidemark.emulator.kit.http;

import org.jspecify.annotations.NullMarked;
