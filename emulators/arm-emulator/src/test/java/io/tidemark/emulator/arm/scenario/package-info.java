/** Tests of this package. */
@NullMarked
package io.tidemark.emulator.arm.scenario;

import org.jspecify.annotations.NullMarked;
