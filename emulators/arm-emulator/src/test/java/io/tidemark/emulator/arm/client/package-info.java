/** Outside clients that judge the emulator's answers. */
@NullMarked
package io.tidemark.emulator.arm.client;

import org.jspecify.annotations.NullMarked;
