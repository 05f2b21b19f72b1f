/**
 * Runs in: anywhere.
 *
 * <p>A strict EC2 for network interfaces: an emulator for whoever writes an interface controller,
 * an address manager or an autoscaler. It follows AWS's documentation and service model and shares
 * no code with a provider that is tested against it.
 *
 * <p>Read {@link io.tidemark.emulator.ec2.Ec2Emulator} first, then {@link
 * io.tidemark.emulator.ec2.model.Ec2Model}.
 */
@NullMarked
package io.tidemark.emulator.ec2;

import org.jspecify.annotations.NullMarked;
