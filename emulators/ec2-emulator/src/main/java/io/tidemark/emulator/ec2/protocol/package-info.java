/**
 * Runs in: anywhere.
 *
 * <p>The EC2 query protocol as values, without any knowledge of what an action does: form
 * parameters and the shape that an action declares for them, the answer as a tree of named members,
 * refusals with EC2's code and text, and both as XML documents.
 *
 * <p>Read {@link io.tidemark.emulator.ec2.protocol.ParameterShape} first, then {@link
 * io.tidemark.emulator.ec2.protocol.Answer}.
 */
@NullMarked
package io.tidemark.emulator.ec2.protocol;

import org.jspecify.annotations.NullMarked;
