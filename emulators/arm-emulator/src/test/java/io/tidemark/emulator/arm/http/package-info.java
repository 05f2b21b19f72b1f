/** Tests of this package. */
@NullMarked
package io.tidemark.emulator.arm.http;

import org.jspecify.annotations.NullMarked;
