/** The rules of the emulated Azure, one class per part of it. */
@NullMarked
package io.tidemark.emulator.arm;

import org.jspecify.annotations.NullMarked;
