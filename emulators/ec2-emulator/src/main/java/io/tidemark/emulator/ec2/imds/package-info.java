/**
 * Runs in: anywhere.
 *
 * <p>The instance metadata service of one instance, version 2 ("Instance metadata and user data",
 * Amazon EC2 User Guide): what agents on the instance read of it, of its interfaces and of its
 * role.
 *
 * <p>Read {@link io.tidemark.emulator.ec2.imds.Imds} first, then {@code MetadataTree}.
 */
@NullMarked
package io.tidemark.emulator.ec2.imds;

import org.jspecify.annotations.NullMarked;
