/** The shape of the module. */
@NullMarked
package io.tidemark.emulator.kit;

import org.jspecify.annotations.NullMarked;
