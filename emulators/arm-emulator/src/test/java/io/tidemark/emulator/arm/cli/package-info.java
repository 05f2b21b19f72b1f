/** Tests of this package. */
@NullMarked
package io.tidemark.emulator.arm.cli;

import org.jspecify.annotations.NullMarked;
