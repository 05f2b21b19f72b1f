/** Who is let in where. */
@NullMarked
package io.tidemark.emulator.ec2.http;

import org.jspecify.annotations.NullMarked;
