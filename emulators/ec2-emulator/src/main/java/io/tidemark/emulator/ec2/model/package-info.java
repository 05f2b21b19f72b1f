/**
 * Runs in: anywhere.
 *
 * <p>The world behind the API, deterministic: what exists in a region, how it changes with requests
 * and with time, and what a request sees of it. No thread, no clock, no chance but the seed: the
 * same calls at the same instants give the same answers.
 *
 * <p>Read {@link io.tidemark.emulator.ec2.model.Ec2Model} first, then {@link
 * io.tidemark.emulator.ec2.model.Region}.
 */
@NullMarked
package io.tidemark.emulator.ec2.model;

import org.jspecify.annotations.NullMarked;
