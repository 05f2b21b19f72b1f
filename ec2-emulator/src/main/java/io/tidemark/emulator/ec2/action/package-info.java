/**
 * Runs in: anywhere.
 *
 * <p>The actions of the API, one class each: what parameters it takes and what it does to the
 * region. A new one is a class that implements {@link io.tidemark.emulator.ec2.model.Action}, a
 * line in {@link io.tidemark.emulator.ec2.action.Actions}, and its tests. Rules that several share
 * are in {@code model}; how resources are listed, filtered, paged and written out is in the classes
 * here that are no actions.
 *
 * <p>Read {@link io.tidemark.emulator.ec2.action.Actions} first, then one action, for example
 * {@code AssignPrivateIpAddresses}.
 */
@NullMarked
package io.tidemark.emulator.ec2.action;

import org.jspecify.annotations.NullMarked;
