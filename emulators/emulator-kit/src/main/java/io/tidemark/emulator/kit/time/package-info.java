/**
 * Runs in: anywhere.
 *
 * <p>Virtual time of an emulator: what will happen by itself ({@link
 * io.tidemark.emulator.kit.time.Agenda}), what readers see of a resource and since when ({@link
 * io.tidemark.emulator.kit.time.Timeline}), and how a refused request is taken back ({@link
 * io.tidemark.emulator.kit.time.Ledger}).
 */
@NullMarked
package io.tidemark.emulator.kit.time;

import org.jspecify.annotations.NullMarked;
