/** Tests of {@code io.tidemark.program.console}. */
@NullMarked
package io.tidemark.program.console;

import org.jspecify.annotations.NullMarked;
