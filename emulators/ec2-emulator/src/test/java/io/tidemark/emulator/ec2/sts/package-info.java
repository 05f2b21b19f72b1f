/** Tokens of roles: asked for by the real SDK, used on EC2. */
@NullMarked
package io.tidemark.emulator.ec2.sts;

import org.jspecify.annotations.NullMarked;
