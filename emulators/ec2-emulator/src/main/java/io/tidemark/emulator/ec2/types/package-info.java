/**
 * Runs in: anywhere.
 *
 * <p>The instance types of EC2 and what each allows on the network: cards, interfaces per card,
 * addresses per interface. The numbers are those of {@code data/instance-types.csv}, which {@code
 * data/README.md} explains.
 *
 * <p>Read {@link io.tidemark.emulator.ec2.types.Ec2InstanceTypes} first.
 */
@NullMarked
package io.tidemark.emulator.ec2.types;

import org.jspecify.annotations.NullMarked;
