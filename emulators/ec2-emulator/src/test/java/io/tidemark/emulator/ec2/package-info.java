/**
 * The emulator from outside: {@link io.tidemark.emulator.ec2.World} calls the model, {@link
 * io.tidemark.emulator.ec2.SdkClients} the same through the AWS SDK for Java.
 */
@NullMarked
package io.tidemark.emulator.ec2;

import org.jspecify.annotations.NullMarked;
