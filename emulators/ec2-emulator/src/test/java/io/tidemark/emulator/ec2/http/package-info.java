/** Clients that are slow or hold connections. */
@NullMarked
package io.tidemark.emulator.ec2.http;

import org.jspecify.annotations.NullMarked;
