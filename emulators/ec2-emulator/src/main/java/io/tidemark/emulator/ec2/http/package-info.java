/**
 * Runs in: anywhere.
 *
 * <p>The ways in: a handler that turns query requests into answers, an HTTP server on loopback
 * around it, and a client of the AWS SDK for Java that calls it without a socket.
 *
 * <p>Read {@link io.tidemark.emulator.ec2.http.Ec2Handler} first, then {@link
 * io.tidemark.emulator.ec2.http.Ec2HttpFront}.
 */
@NullMarked
package io.tidemark.emulator.ec2.http;

import org.jspecify.annotations.NullMarked;
