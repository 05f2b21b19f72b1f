/** The addresses of a subnet, under random requests. */
@NullMarked
package io.tidemark.emulator.arm.network;

import org.jspecify.annotations.NullMarked;
