/** Tests of {@code io.tidemark.program.console}. */
@NullMarked
package io.tidemark.program;

import org.jspecify.annotations.NullMarked;
