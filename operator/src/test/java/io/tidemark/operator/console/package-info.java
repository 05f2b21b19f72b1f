/** Tests of {@code io.tidemark.operator.console}. */
@NullMarked
package io.tidemark.operator.console;

import org.jspecify.annotations.NullMarked;
