/** The instance metadata service: every path, every refusal, and the SDK as its client. */
@NullMarked
package io.tidemark.emulator.ec2.imds;

import org.jspecify.annotations.NullMarked;
