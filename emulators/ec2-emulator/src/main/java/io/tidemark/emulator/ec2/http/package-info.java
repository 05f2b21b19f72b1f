/**
 * Runs in: anywhere.
 *
 * <p>The ways in: a handler that turns query requests into answers, and a client of the AWS SDK for
 * Java that calls it without a socket. Read {@link io.tidemark.emulator.ec2.http.Ec2Handler} first.
 */
@NullMarked
package io.tidemark.emulator.ec2.http;

import org.jspecify.annotations.NullMarked;
