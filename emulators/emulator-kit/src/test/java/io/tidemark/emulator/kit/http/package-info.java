/** Who is let in where. */
@NullMarked
package io.tidemark.emulator.kit.http;

import org.jspecify.annotations.NullMarked;
