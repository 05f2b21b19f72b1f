/**
 * Runs in: anywhere.
 *
 * <p>What a test does to the emulator besides calling EC2: begin anew, look at everything, let
 * requests go wrong. Under a path that EC2 never uses, from this machine only.
 *
 * <p>Read {@link io.tidemark.emulator.ec2.admin.Ec2Admin} first.
 */
@NullMarked
package io.tidemark.emulator.ec2.admin;

import org.jspecify.annotations.NullMarked;
