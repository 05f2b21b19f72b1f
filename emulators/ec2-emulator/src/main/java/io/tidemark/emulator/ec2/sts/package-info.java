/**
 * Runs in: anywhere.
 *
 * <p>The part of AWS Security Token Service that programs on EC2 use: who am I, and temporary
 * credentials for a role, which then act as the role's account. Every role exists and trusts
 * everybody; the deny list forbids.
 *
 * <p>Read {@link io.tidemark.emulator.ec2.sts.Sts} first.
 */
@NullMarked
package io.tidemark.emulator.ec2.sts;

import org.jspecify.annotations.NullMarked;
