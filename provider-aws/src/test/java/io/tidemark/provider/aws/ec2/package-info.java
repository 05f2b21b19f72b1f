/**
 * Runs in: anywhere.
 *
 * <p>Tests of the door to EC2, against the emulator and with the SDK's own client.
 */
@NullMarked
package io.tidemark.provider.aws.ec2;

import org.jspecify.annotations.NullMarked;
